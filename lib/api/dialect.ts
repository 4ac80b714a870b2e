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
  /** True: the declared total changed while the pages were read. */
  isMoved: z.boolean().exactOptional(),
  /** True: it has as many records as servers often give at most (such as 100), and nothing proves that it is whole. */
  isCapSuspected: z.boolean().exactOptional(),
  /** What the decision rests on, in sentences: keys and counts, never values. */
  evidence: z.array(z.string()).readonly(),
});

/** How a listing's answers are built; a commit keeps it as a lock for later runs. */
export type Dialect = Readonly<z.infer<typeof dialectShape>>;

/** An array of records, a map of them by key, or an object that is the one record. */
export type Form = 'array' | 'map' | 'record';

export interface Envelope {
  readonly path: readonly string[];
  readonly form: Form;
}

const SUFFIX: Readonly<Record<Form, string>> = { array: '', map: '{}', record: '{1}' };

/** An envelope as the setting `items` writes it. */
export function renderEnvelope({ path, form }: Envelope): string {
  const where = path.join('.');
  return form === 'array' && where === '' ? '$' : `${where}${SUFFIX[form]}`;
}

/** The envelope that a setting names; null if the text is none. */
export function parseEnvelope(text: string): Envelope | null {
  const match = /^(\$|[^{}]*?)(\{1?\})?$/.exec(text.trim());
  if (match === null) return null;
  const [, where = '', braces = ''] = match;
  const form: Form = braces === '{}' ? 'map' : braces === '{1}' ? 'record' : 'array';
  const path = where === '$' || where === '' ? [] : where.replace(/^\$\./, '').split('.');
  if (where === '' && braces === '') return null;
  return path.includes('') ? null : { path, form };
}

const EVIDENCE: Readonly<Record<Form, (where: string) => string>> = {
  array: (where) => (where === '' ? 'the answer is a list' : `${where} is the only list under a known name`),
  map: (where) => `${where || 'the answer'} is an object of objects that share most keys`,
  record: (where) => `${where || 'the answer'} is one object`,
};

/** Why the records are read from this place, in words for the operator. */
export function evidenceOf(envelope: string, bySetting: boolean): string {
  const parsed = parseEnvelope(envelope);
  if (parsed === null || bySetting) return `records at ${envelope} by the setting`;
  return EVIDENCE[parsed.form](parsed.path.join('.'));
}
