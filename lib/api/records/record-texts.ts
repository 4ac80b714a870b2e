import { MAP_KEY, VALUE_NAME } from '../../lake/raw/marks.ts';
import { isListText, isObjectText, type Part, partsOf } from '../body/parse.ts';
import { ListingError } from '../codes.ts';
import { isNumber } from './entries.ts';
import type { Envelope } from './items-path.ts';
import type { Place } from './shape.ts';

/** How records are written in a text. */
type Written = Omit<Place, 'path' | 'container'>;

/**
 * The records in the text of a list or a map, each as it is written there. A map's record has its
 * key as the first member `$key`. A row has the names of its columns, and a text or number the name `value`.
 * Entries that are null are no records. Throws ListingError where another entry is none.
 */
export function recordTexts(text: string, place: Written): readonly string[] {
  const { each, isListed } = place;
  const records: string[] = [];
  for (const { key, text: entry } of partsOf(text)) {
    if (entry === 'null') continue;
    const isKeyed = key !== null && !(isListed && isNumber(nameIn(key)));
    for (const record of each === undefined ? [recordOf(entry, place)] : recordsIn(entry, each, place)) {
      if (!isObjectText(record)) throw refusal(place, `An entry has ${kindOf(record)} in place of a record`);
      records.push(isKeyed ? withKey(key, record) : record);
    }
  }
  return records;
}

function refusal({ resource }: Written, says: string): ListingError {
  return new ListingError('ENVELOPE_UNKNOWN', says, { resource });
}

/** The record that an entry is, as it is written. */
function recordOf(entry: string, place: Written): string {
  const { form, columns = [] } = place;
  if (form === 'values') return `{"${VALUE_NAME}":${entry}}`;
  if (form === 'rows') {
    const cells = isListText(entry) ? [...partsOf(entry)] : [];
    if (cells.length !== columns.length)
      throw refusal(place, `A row has ${cells.length} values for ${columns.length} columns`);
    return `{${cells.map((cell, index) => `${JSON.stringify(columns[index])}:${cell.text}`).join(',')}}`;
  }
  return entry;
}

/** The records that an entry holds; none where its list is null or missing. */
function recordsIn(entry: string, each: Envelope, place: Written): readonly string[] {
  const value = memberAt(entry, each.path) ?? 'null';
  const name = each.path.join('.');
  if (each.isMerged) return [isObjectText(entry) ? merged(entry, { name, object: value }) : entry];
  if (each.form === 'record') return [value];
  if (value === 'null') return [];
  if (each.form === 'array' && !isListText(value))
    throw refusal(place, `${name} of an entry is ${kindOf(value)}, not a list of objects`);
  return recordTexts(value, { ...each, resource: place.resource });
}

/**
 * An entry, merged with the object that it holds. Where both have a name, the object's member comes first.
 * The entry's own follows if it differs, as a repeated member.
 */
function merged(entry: string, { name, object }: { readonly name: string; readonly object: string }): string {
  if (!isObjectText(object)) return entry;
  const inner = [...partsOf(object)];
  const twinOf = ({ key }: Part): Part | undefined => inner.find((part) => nameIn(part.key) === nameIn(key));
  const bare = (text = ''): string => text.replace(/^"(.*)"$/s, '$1');
  const own = [...partsOf(entry)].filter(({ key }) => nameIn(key) !== name);
  const first = own.filter((part) => twinOf(part) === undefined);
  const second = own.filter((part) => !first.includes(part) && bare(twinOf(part)?.text) !== bare(part.text));
  return `{${[...first, ...inner, ...second].map(({ key, text }) => `${key}:${text}`).join(',')}}`;
}

const nameIn = (key: string | null): string => String(JSON.parse(key ?? '""'));

function memberAt(text: string, path: readonly string[]): string | undefined {
  return path.reduce<string | undefined>(
    (at, name) => [...partsOf(at ?? '')].find(({ key }) => nameIn(key) === name)?.text,
    text,
  );
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
  if (text.startsWith('"')) return 'a text';
  return /^[tfn]/.test(text) ? text : 'a number';
}
