import * as z from 'zod';

/** `dialect` as it is kept in raw, in state and in the head. */
export const dialectShape = z.object({
  /** Where the records are, as the setting `items` says it: `$`, `data.items`, `{}`, `data{}`, `data{1}`. */
  envelope: z.string(),
  /** For a map of records: the keys that most records share, by which the map is known again. */
  keys: z.array(z.string()).readonly().exactOptional(),
  /** The style of paging, as the setting `paging` says it; `none` if one answer is all. */
  paging: z.string(),
  /** The member or header that declares how many records there are. */
  total: z.string().exactOptional(),
  /** Records on a page that another page followed. */
  pageSize: z.number().exactOptional(),
  /** The number of the first page, if it was found out by asking. */
  firstPage: z.number().exactOptional(),
  /** The names of what stands beside the records, so that one that is new is noticed. */
  beside: z.array(z.string()).readonly().exactOptional(),
  /** What flags beside the records have said that no word explains: `complet=true`. */
  flags: z.array(z.string()).readonly().exactOptional(),
  /** What words beside the records have said: `mode=5f2a9c01`, where a hash stands for the value; `~` where it was ignored. Of each name two at most. */
  words: z.array(z.string()).readonly().exactOptional(),
  /** The times beside the records of the last listing that nothing put in question, in milliseconds since 1970. */
  times: z.record(z.string(), z.number()).exactOptional(),
  /** How many records the last listing had that nothing put in question. */
  wholeItems: z.number().exactOptional(),
  /** True: the declared total changed while the pages were read. */
  isMoved: z.boolean().exactOptional(),
  /** True: fewer records, or pages, came than were declared while they were read. */
  isBelow: z.boolean().exactOptional(),
  /** True: it has as many records as servers often give at most (such as 100), and nothing proves that it is whole. */
  isCapSuspected: z.boolean().exactOptional(),
  /** What the decision rests on, in sentences: keys and counts, never values. */
  evidence: z.array(z.string()).readonly(),
});

/** How a listing's answers are built; a commit keeps it as a lock for later runs. */
export type Dialect = Readonly<z.infer<typeof dialectShape>>;

/** True if a dialect proves more than another one of the same listing, for its pages were followed. */
export function provesMore(one: Dialect, other: Dialect | undefined): boolean {
  return other === undefined || (one.pageSize !== undefined && other.pageSize === undefined);
}

/**
 * A list of records, a map of them by key, an object that is the one record, rows whose columns are named elsewhere, a
 * line for each record, or a text that is JSON itself.
 */
export type Form = 'array' | 'map' | 'record' | 'rows' | 'lines' | 'text';

export interface Envelope {
  readonly path: readonly string[];
  readonly form: Form;
  /** Of rows: where the names of the columns are; empty where the first row has them. */
  readonly names?: readonly string[];
  /** What each entry of a list or map, or what the text, holds in place of a record. */
  readonly each?: Envelope;
}

const SUFFIX: Readonly<Record<Exclude<Form, 'rows'>, string>> = {
  array: '',
  map: '{}',
  record: '{1}',
  lines: 'lines',
  text: '(json)',
};

/** An envelope as the setting `items` writes it. */
export function renderEnvelope({ path, form, names = [], each }: Envelope): string {
  const name = path.join('.');
  const where = name === '' && form !== 'map' && form !== 'record' ? '$' : name;
  if (form === 'rows') return `${where}[${names.length === 0 ? '0' : names.join('.')}]`;
  if (each === undefined) return `${where}${SUFFIX[form]}`;
  const inner = each.path.length === 0 && each.form === 'array' ? '' : `.${renderEnvelope(each)}`;
  const entry = form === 'map' ? '{}' : form === 'text' ? SUFFIX.text : '[]';
  return `${where}${entry}${inner === '' ? '[]' : inner}`;
}

/** The envelope that a setting names; null if the text is none. */
export function parseEnvelope(text: string): Envelope | null {
  const trimmed = text.trim();
  if (trimmed === '$lines') return { path: [], form: 'lines' };
  const nested = /^([^[\]{}()]*)(\[\]|\{\}|\(json\))(\[\]|\..+)$/.exec(trimmed);
  if (nested !== null) return nestedEnvelope(nested);
  const match = /^(\$|[^[\]{}()]*?)(\{1?\}|\(json\)|\[([^[\]{}()]+)\])?$/.exec(trimmed);
  if (match === null) return null;
  const [, where = '', suffix = '', columns] = match;
  const path = pathIn(where);
  if (path === null || (where === '' && !suffix.startsWith('{'))) return null;
  if (columns !== undefined) {
    const names = columns === '0' ? [] : pathIn(columns);
    return names === null ? null : { path, form: 'rows', names };
  }
  return { path, form: FORMS[suffix] ?? 'array' };
}

const FORMS: Readonly<Record<string, Form>> = { '{}': 'map', '{1}': 'record', '(json)': 'text' };

/** `data[].players`, `data{}[]`, `d(json).players`. */
function nestedEnvelope([, where = '', entry = '', rest = '']: readonly string[]): Envelope | null {
  const path = pathIn(where);
  const form: Form = entry === '{}' ? 'map' : entry === '[]' ? 'array' : 'text';
  const each: Envelope | null = rest === '[]' ? { path: [], form: 'array' } : parseEnvelope(rest.slice(1));
  const isWritten = where !== '' || form === 'map';
  return path === null || each === null || !isWritten || (rest === '[]' && form === 'text')
    ? null
    : { path, form, each };
}

function pathIn(where: string): readonly string[] | null {
  const path = where === '$' || where === '' ? [] : where.replace(/^\$\./, '').split('.');
  return path.includes('') ? null : path;
}

const EVIDENCE: Readonly<Partial<Record<Form, (where: string) => string>>> = {
  array: (where) => (where === '' ? 'the answer is a list' : `${where} is the only list under a known name`),
  map: (where) => `${where || 'the answer'} is an object of objects that share most keys`,
  record: (where) => `${where || 'the answer'} is one object`,
};

/** Why the records are read from this place, in words for the operator. */
export function evidenceOf(envelope: string, bySetting: boolean): string {
  const parsed = parseEnvelope(envelope);
  if (parsed === null || bySetting) return `records at ${envelope} by the setting`;
  const said = parsed.each === undefined ? EVIDENCE[parsed.form] : undefined;
  return said?.(parsed.path.join('.')) ?? `records at ${envelope}`;
}
