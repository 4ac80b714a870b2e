import { jsonOf, textOf } from '../body/parse.ts';
import type { Container } from '../body/scan.ts';
import { besideText } from '../contract/fact-texts.ts';
import { type Fact, factsOf, isIgnored, nameOf } from '../read/facts.ts';
import { wordsOf } from '../read/words.ts';
import { areAlike, hasId } from './entries.ts';
import { containerAt, type Envelope, memberAt } from './items-path.ts';
import { type EnvelopeOptions, noneAt, type Shape, shapeAt } from './shape.ts';

const hasWord = (words: string): ((name: string) => boolean) => {
  const known = new Set(words.split(' '));
  return (name) => wordsOf(name).some((word) => known.has(word));
};

/** Members about pages, the call, links and failures. Other code reads them; no record has them. */
const isAside = hasWord(
  'page pages size limit offset start skip take max cursor next prev previous token more last first self href links request trace correlation time timestamp date duration took version copyright license licence disclaimer error errors fault exception warning',
);
const isTotal = hasWord('total count elements');
/** Members that may explain missing records: `"message": "offline"`. */
const maySpeak = hasWord(
  'message messages msg reason info detail details description text title note status state result code',
);
const WENT_WELL = /^(ok|success|successful|succeeded|done|completed?|(https?:\/)?\/\S*)$/i;

/** True for the name of a member about pages or the call: no record has it. */
export const isAsideName = (name: string): boolean => isAside(name) || isTotal(name);

/**
 * An answer without its list: a parent with one record or none, or a listing that declares none. Undefined
 * where the answer does not prove it.
 */
export function fewRecords(options: EnvelopeOptions, wanted: Envelope): Shape | undefined {
  const { body, resource } = options;
  const { container: root } = body.scan;
  if (resource.parent === null) return saysNone(options) ? noneAt(wanted) : undefined;
  const said = somethingIn(options);
  const member = memberAt(root, wanted.path);
  // A broken server may send `false` or an empty text instead of a list, but never null or `{}`.
  const isEmpty = member?.container?.children === 0 || member?.kind === 'null';
  const isText = /^(""|false)$/.test(member?.text ?? '');
  const givesReason = said.some((name) => maySpeak(name.slice(name.lastIndexOf('.') + 1)));
  if (isEmpty || (isText && !givesReason)) return noneAt(wanted);
  const isPlain = wanted.form === 'array' && wanted.each === undefined;
  const one = isPlain ? oneOfList(options, wanted.path) : undefined;
  if (one !== undefined)
    return shapeAt({ path: one.path, form: 'record', container: one }, { resource, envelope: wanted });
  return said.length === 0 ? noneAt(wanted) : undefined;
}

/** True for an answer with a total of 0 and nothing else that could be a record. */
export function saysNone(options: Said): boolean {
  const facts = factsOf({ headers: {}, body: options.body, place: null });
  return somethingIn(options).length === 0 && facts.some(({ path }) => isTotal(path.at(-1) ?? ''));
}

/** The object in place of a list, or the whole answer, with a record's keys or the field of `id`. */
function oneOfList({ body, id, lock }: EnvelopeOptions, path: readonly string[]): Container | undefined {
  const { container: root } = body.scan;
  const at = containerAt(root, path);
  const { keys = [] } = lock ?? {};
  const objects = [at, root].filter((object): object is Container => object?.kind === 'object');
  return objects.find((object) => {
    const own = object.members.map(({ name }) => name);
    // An envelope may share names with its records (`_links`, `player_id`), so alone it needs most of theirs.
    if (object !== at)
      return own.filter((name) => keys.includes(name)).length * 2 > keys.length && keys.length > 0;
    return areAlike(own, keys) || hasId([Object(jsonOf(textOf(body.read(at.from, at.to))))], id);
  });
}

type Said = Pick<EnvelopeOptions, 'body' | 'ignore' | 'lock'>;

/** The members of an answer with content, by their paths; `$` for an answer that is not a small object. */
export function somethingIn(options: Said): readonly string[] {
  const { body } = options;
  const { container } = body.scan;
  if (container === null) return [null, false, '', 0, '0'].includes(body.json as null) ? [] : ['$'];
  if (container.kind === 'array' || body.json === undefined) return container.children === 0 ? [] : ['$'];
  const facts = factsOf({ headers: {}, body, place: null });
  return facts.filter((fact) => !saysNothing(fact, options)).map(nameOf);
}

function saysNothing(fact: Fact, { ignore = [], lock }: Said): boolean {
  const { path, kind, value } = fact;
  const name = path.at(-1) ?? '';
  if (kind === 'nothing' || value === false || value === 0 || value === '0' || isIgnored(fact, ignore))
    return true;
  if (kind === 'list' || isTotal(name)) return false;
  // The same is next to the records of other parents.
  if (lock?.alongside?.[nameOf(fact)] === besideText(fact)) return true;
  if (isAside(name) || value === true || WENT_WELL.test(String(value))) return true;
  return maySpeak(name) && Number(value) >= 200 && Number(value) < 300;
}
