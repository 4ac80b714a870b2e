import { MAP_KEY } from '../../lake/raw/marks.ts';
import { isListText, isObjectText, partsOf } from '../body/json-parts.ts';
import type { Envelope } from '../dialect.ts';
import { ListingError } from '../listing-error.ts';
import { isUnlike } from './keyed-map.ts';
import type { Place } from './place.ts';

/**
 * The records in the text of a list, a map or one object, each as it is written there, save that one of a map has its key as
 * the first member `$key`, and one of a row the names of its columns. Throws ListingError where an entry is no record.
 */
export function recordTexts(
  text: string,
  place: Pick<Place, 'form' | 'each' | 'keys' | 'rest' | 'columns' | 'resource'>,
): readonly string[] {
  const { form, each } = place;
  const refuse = (what: string): ListingError =>
    new ListingError('ENVELOPE_UNKNOWN', what, { resource: place.resource });
  if (form === 'record') return [text];
  if (form === 'rows') return rowTexts(text, { columns: place.columns ?? [], refuse });
  const records: string[] = [];
  for (const { key, text: entry } of partsOf(text)) {
    if (each !== undefined) {
      const inner = innerTexts(entry, { each, refuse });
      for (const record of inner ?? []) records.push(key === null ? record : withKey(key, record));
    } else if (key !== null) {
      if (isRecordOfMap(entry, { key, place, refuse })) records.push(withKey(key, entry));
    } else if (isObjectText(entry)) records.push(entry);
    else if (entry !== 'null') throw refuse(`An entry of the list is ${kindOf(entry)}, not an object`);
  }
  return records;
}

type Refuse = (what: string) => ListingError;

/** The records that an entry holds; undefined where it holds none of them. */
function innerTexts(
  entry: string,
  { each, refuse }: { readonly each: Envelope; readonly refuse: Refuse },
): readonly string[] | undefined {
  const value = memberAt(entry, each.path);
  if (value === undefined || value === 'null') {
    if (each.form === 'record' && entry !== 'null') throw refuse(`An entry has no ${each.path.join('.')}`);
    return undefined;
  }
  if (each.form === 'record') {
    if (!isObjectText(value)) throw refuse(`${each.path.join('.')} of an entry is ${kindOf(value)}`);
    return [value];
  }
  if (each.form === 'array' && !isListOfObjects(value)) {
    if (each.path.length === 0) return undefined;
    throw refuse(`${each.path.join('.')} of an entry is ${kindOf(value)}, not a list of objects`);
  }
  return recordTexts(value, { ...each, resource: '', rest: {} } as Place);
}

/** Whether a value as it is written is a list of objects, or an empty one. */
export function isListOfObjects(value: string): boolean {
  if (!isListText(value)) return false;
  for (const { text } of partsOf(value)) if (!isObjectText(text) && text !== 'null') return false;
  return true;
}

function memberAt(text: string, path: readonly string[]): string | undefined {
  let at: string | undefined = text;
  for (const name of path) {
    const parts: readonly { key: string | null; text: string }[] = at === undefined ? [] : [...partsOf(at)];
    at = parts.find(({ key }) => key !== null && JSON.parse(key) === name)?.text;
  }
  return at;
}

/** What is unlike the other entries of a map is none of its records, and must be known to be none. */
function isRecordOfMap(
  entry: string,
  {
    key,
    place: { keys, rest = {} },
    refuse,
  }: { readonly key: string; readonly place: Pick<Place, 'keys' | 'rest'>; readonly refuse: Refuse },
): boolean {
  const name = String(JSON.parse(key));
  if (Object.hasOwn(rest, name)) return false;
  if (!isObjectText(entry)) throw refuse(`An entry of the map is ${kindOf(entry)}, not an object`);
  if (keys !== undefined && isUnlike(Object.keys(JSON.parse(entry)), new Set(keys)))
    throw refuse('An entry of the map has none of the keys that the others share');
  return true;
}

function rowTexts(
  text: string,
  { columns, refuse }: { readonly columns: readonly string[]; readonly refuse: Refuse },
): readonly string[] {
  const names = columns.map((name) => JSON.stringify(name));
  return [...partsOf(text)].map(({ text: row }) => {
    const cells = isListText(row) ? [...partsOf(row)] : [];
    if (cells.length !== names.length)
      throw refuse(`A row has ${cells.length} values for ${names.length} columns`);
    return `{${cells.map(({ text: cell }, index) => `${names[index]}:${cell}`).join(',')}}`;
  });
}

/** A record's own `$key` stays. */
function withKey(key: string, record: string): string {
  if (record.includes(MAP_KEY) && Object.hasOwn(JSON.parse(record), MAP_KEY)) return record;
  const rest = record.slice(1).trimStart();
  return `{${JSON.stringify(MAP_KEY)}:${key}${rest === '}' ? '' : ','}${rest}`;
}

function kindOf(text: string): string {
  if (isObjectText(text)) return 'an object';
  if (isListText(text)) return 'a list';
  return text.startsWith('"') ? 'a text' : /^[tf]/.test(text) ? 'true or false' : 'a number';
}
