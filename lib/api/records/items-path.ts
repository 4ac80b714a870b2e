import type { Container, Member } from '../body/scan.ts';

/**
 * What is at a place: a list of records, texts or numbers, a map by key, or an object that is the one record.
 * Or rows with columns that are named elsewhere.
 */
export type Form = 'array' | 'values' | 'map' | 'record' | 'rows';

/** Where the records of an answer are. The setting `items` writes it as `data.items`. */
export interface Envelope {
  readonly path: readonly string[];
  readonly form: Form;
  /** For rows: the place of the columns' names. */
  readonly names?: readonly string[];
  /** The content of each list or map entry, in place of a record. */
  readonly each?: Envelope;
  /** True where the record also has its entry's members: JSON:API's `id` next to `attributes`. */
  readonly isMerged?: true;
}

const SUFFIX: Readonly<Record<Exclude<Form, 'rows'>, string>> = {
  array: '',
  values: '[]=value',
  map: '{}',
  record: '{1}',
};
const FORMS: Readonly<Record<string, Form>> = {
  '{}': 'map',
  '{1}': 'record',
  '[]=value': 'values',
};

/** An envelope as the setting `items` writes it. */
export function renderEnvelope({ path, form, names = [], each, isMerged }: Envelope): string {
  const name = path.join('.');
  const where = name === '' && form !== 'map' && form !== 'record' ? '$' : name;
  if (isMerged) return `${name}+`;
  if (form === 'rows') return `${where}[${names.join('.')}]`;
  if (each === undefined) return `${where}${SUFFIX[form]}`;
  return `${where}${form === 'map' ? '{}' : '[]'}.${renderEnvelope(each)}`;
}

/** The envelope in a setting; null if the text is not one. */
export function parseEnvelope(text: string): Envelope | null {
  const trimmed = text.trim();
  const nested = /^([^[\]{}()]*)(\[\]|\{\})\.(.+)$/.exec(trimmed);
  if (nested !== null) return nestedEnvelope(nested);
  const match = /^(\$|[^[\]{}()]*?)(\{1?\}|\[\]=value|\[([^[\]{}()]+)\])?$/.exec(trimmed);
  if (match === null) return null;
  const [, where = '', suffix = '', columns] = match;
  const path = pathIn(where);
  if (path === null || (where === '' && !suffix.startsWith('{'))) return null;
  if (columns === undefined) return { path, form: FORMS[suffix] ?? 'array' };
  const names = pathIn(columns);
  return names === null ? null : { path, form: 'rows', names };
}

/** `data[].players`, `data[].attributes+`, `data{}.players`. */
function nestedEnvelope([, where = '', entry = '', rest = '']: readonly string[]): Envelope | null {
  const path = pathIn(where);
  const form = FORMS[entry] ?? 'array';
  const each = entryEnvelope(rest);
  return path === null || each === null || (where === '' && form !== 'map') ? null : { path, form, each };
}

function entryEnvelope(text: string): Envelope | null {
  const merged = /^([^[\]{}()+$]+)\+$/.exec(text);
  if (merged === null) return parseEnvelope(text);
  const path = pathIn(merged[1] ?? '');
  return path === null ? null : { path, form: 'record', isMerged: true };
}

function pathIn(where: string): readonly string[] | null {
  const path = where === '$' || where === '' ? [] : where.replace(/^\$\./, '').split('.');
  return path.includes('') ? null : path;
}

/** A name without case and without the signs between its words. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/**
 * The container at a path of member names, exactly or else without case; a name may have points in it. Null
 * without one.
 */
export function containerAt(root: Container | null, path: readonly string[]): Container | null {
  return path.length === 0 ? root : (memberAt(root, path)?.container ?? null);
}

/** The member at a path; null without one. */
export function memberAt(root: Container | null, path: readonly string[]): Member | null {
  for (let length = 1; length <= path.length; length++) {
    const member = memberNamed(root?.members ?? [], path.slice(0, length).join('.'));
    if (member === undefined) continue;
    const rest = path.slice(length);
    const found = rest.length === 0 ? member : memberAt(member.container, rest);
    if (found !== null) return found;
  }
  return null;
}

function memberNamed(members: readonly Member[], name: string): Member | undefined {
  return (
    members.find((member) => member.name === name) ??
    members.find((member) => plainName(member.name) === plainName(name))
  );
}
