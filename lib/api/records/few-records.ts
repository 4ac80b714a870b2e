import { memberReader } from '../../fields.ts';
import { NO_ID } from '../../schema/record-key.ts';
import { isIgnored } from '../beside/beside.ts';
import { type Role, roleOf } from '../beside/page-roles.ts';
import { isAddress, wholeNumberOf } from '../beside/said-value.ts';
import { wordsOf } from '../beside/words.ts';
import type { Body } from '../body/body.ts';
import type { Container, Member, Scan } from '../body/scan.ts';
import type { Dialect } from '../dialect.ts';

/** Keys that are remembered: enough to know a record by. */
const REMEMBERED = 100;

/** Words of what says which call it was, and when, and whose the answer is. */
const ABOUT_CALL = new Set(
  'request trace correlation time timestamp date duration took version copyright license licence disclaimer'.split(
    ' ',
  ),
);

/** Words of what says how the call went: a text that nobody understands is the reason why there are no records. */
const SPEAKS = new Set(
  'message messages msg reason info detail details description text title note notes comment status state result outcome code'.split(
    ' ',
  ),
);

/** Words of failures: one that tells a failure was found before the records are looked for. */
const FAULTS = new Set('error errors fault faults exception exceptions warning warnings'.split(' '));

/** What a text says where the call went well. */
const WENT_WELL = new Set(['ok', 'success', 'successful', 'succeeded', 'done', 'complete', 'completed']);

/** Roles of members that say nothing of how many records there are, or are asked for by the pager. */
const OF_PAGES: ReadonlySet<Role | undefined> = new Set([
  'page',
  'pages',
  'pageSize',
  'offset',
  'limit',
  'next',
  'token',
  'more',
  'last',
]);

/** What is known of the members that stand beside the records. */
export interface KnownBeside {
  /** `resources.NAME.ignore` */
  readonly ignore?: readonly string[] | undefined;
  /** What other answers of the listing show. */
  readonly lock?: Pick<Dialect, 'beside'> | undefined;
}

/** The keys that most of the records have. */
export function sharedKeys(records: readonly object[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const record of records)
    for (const key of Object.keys(record)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .flatMap(([key, count]) => (count > records.length / 2 ? [key] : []))
    .slice(0, REMEMBERED);
}

/**
 * Whether an answer has nothing in it: `{}`, `""`, `null`, `false`, `0`, `{"count": 0}`; what says how the call went, how
 * pages are cut, where the answer stands, and what stands beside the records of other answers aside. A text that nobody
 * understands is something.
 */
export function saysNothing(body: Body, known: KnownBeside = {}): boolean {
  return somethingIn(body, known).length === 0;
}

/** The members of an answer that say something, by their paths; of an answer that is no object, a list or a value, `$`. */
export function somethingIn({ scan: { container }, json }: Body, known: KnownBeside): readonly string[] {
  if (container === null) return json !== undefined && isNothing(json) ? [] : ['$'];
  return container.kind === 'array'
    ? container.children === 0
      ? []
      : ['$']
    : somethingBelow(container, [], known);
}

function somethingBelow(
  { children, members, kind }: Container,
  path: readonly string[],
  known: KnownBeside,
): readonly string[] {
  if (children === 0) return [];
  if (kind === 'array' || members.length < children) return [path.join('.') || '$'];
  return members.flatMap((member) => {
    const own = [...path, member.name];
    if (isIgnored({ path: own }, known.ignore ?? [])) return [];
    if (member.container !== null) return somethingBelow(member.container, own, known);
    return isNothingSaid(member, own, known) ? [] : [own.join('.')];
  });
}

function isNothingSaid({ text }: Member, path: readonly string[], { lock }: KnownBeside): boolean {
  if (text === null) return false;
  const value: unknown = JSON.parse(text);
  const words = wordsOf(path.at(-1) ?? '');
  if (isNothing(value) || words.some((word) => ABOUT_CALL.has(word) || FAULTS.has(word))) return true;
  const role = roleOf(words, value);
  const inHolder = roleOf([...wordsOf(path.at(-2) ?? ''), ...words], value);
  if (OF_PAGES.has(role) || OF_PAGES.has(inHolder)) return true;
  if (role === 'total' || inHolder === 'total') return false;
  const speaks = words.some((word) => SPEAKS.has(word));
  const count = wholeNumberOf(value);
  if (speaks && count !== undefined) return count >= 200 && count < 300;
  const isText = typeof value === 'string' && count === undefined;
  if (isText && (WENT_WELL.has(value.toLowerCase()) || isAddress(value))) return true;
  if (!isText && role === 'idle') return true;
  const isKnown = lock?.beside?.includes(path.join('.')) === true;
  return isKnown && !speaks && !(isText && /\s/.test(value));
}

/** Whether a text that nobody understands may say why there are no records: `"message": "offline"`. */
export function givesReason(body: Body, known: KnownBeside): boolean {
  return somethingIn(body, known).some((name) => {
    const words = wordsOf(name.slice(name.lastIndexOf('.') + 1));
    return words.some((word) => SPEAKS.has(word));
  });
}

/** Whether a member has nothing in it: `""`, `null`, `false`, `0`, `{}`, `[]`. */
export function isNothingAt({ text, container }: Member): boolean {
  return container === null ? text !== null && isNothing(JSON.parse(text)) : container.children === 0;
}

/** Whether an answer with nothing in it declares that there is no record: HAL leaves the list out beside `total: 0`. */
export function declaresNone(body: Body): boolean {
  return saysNothing(body) && body.scan.container !== null && hasTotal(body.scan.container);
}

/** Of an answer with nothing in it, a total is 0. */
function hasTotal({ members }: Container): boolean {
  return members.some(({ name, text, container }) =>
    container === null
      ? text !== null && roleOf(wordsOf(name), JSON.parse(text)) === 'total'
      : hasTotal(container),
  );
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || value === false || wholeNumberOf(value) === 0;
}

/** The object in place of a list, or the whole answer, if it has the keys of a record. */
export function oneOfList(
  { container: root }: Scan,
  { path, keys }: { readonly path: readonly string[]; readonly keys: readonly string[] },
): Container | null {
  let at = root;
  for (const name of path) at = at?.members.find((member) => member.name === name)?.container ?? null;
  for (const object of [at, root]) {
    if (object === null || object.kind !== 'object' || keys.length === 0) continue;
    const known = object.members.filter(({ name }) => keys.includes(name)).length;
    // An envelope may share names with its records (`_links`, `player_id`): alone it has to have most of theirs.
    const due = object === at ? Math.min(object.children, keys.length) : keys.length;
    if (known * 2 > due) return object;
  }
  return null;
}

/** True if the setting `id` names a field of an entry: the entries are the records. */
export function hasId(entries: readonly object[], setting: string | undefined): boolean {
  if (setting === undefined || setting === NO_ID) return false;
  const read = memberReader(setting);
  return entries.some((entry) => read(entry).length > 0);
}
