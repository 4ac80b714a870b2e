import { MAP_KEY, VALUE_NAME } from '../../lake/raw/marks.ts';
import { isListText, isObjectText, type Part, parseExact, partsOf } from '../body/parse.ts';
import { ListingError } from '../codes.ts';
import { isNumber, isUnlike } from './entries.ts';
import type { Envelope } from './items-path.ts';
import type { Place } from './shape.ts';

/** How records are written in a text. */
type Written = Omit<Place, 'path' | 'container'>;

/**
 * The records in the text of a list, a map or one object, each as it is written there. A map's record has its
 * key as the first member `$key`. A row has the names of its columns, and a text or number the name `value`.
 * Throws ListingError where an entry is not a record.
 */
export function recordTexts(text: string, place: Written): readonly string[] {
  const { form, each, isListed, resource } = place;
  const refuse = (what: string): ListingError => new ListingError('ENVELOPE_UNKNOWN', what, { resource });
  const read = each === undefined ? READ[form] : inEntry(each);
  if (form === 'record' && each === undefined) return [text];
  const records: string[] = [];
  for (const part of partsOf(form === 'record' ? `[${text}]` : text)) {
    const { key } = part;
    const isKeyed = key !== null && !(isListed && isNumber(nameIn(key)));
    for (const record of read(part, { place, refuse })) records.push(isKeyed ? withKey(key, record) : record);
  }
  return records;
}

type Read = (
  entry: Part,
  written: { readonly place: Written; readonly refuse: (what: string) => ListingError },
) => readonly string[];

/** The record of an entry; none where it is null. */
const ofList: Read = ({ text }, { refuse }) => {
  if (text !== 'null' && !isObjectText(text))
    throw refuse(`An entry of the list is ${kindOf(text)}, not an object`);
  return text === 'null' ? [] : [text];
};

/** An entry that is unlike the others of a map may be no record. */
const ofMap: Read = ({ text }, { place: { keys = [], isListed }, refuse }) => {
  if (isListed && text === 'null') return [];
  if (!isObjectText(text)) throw refuse(`An entry of the map is ${kindOf(text)}, not an object`);
  if (keys.length > 0 && isUnlike(Object(parseExact(text)), keys))
    throw refuse('One entry of the map has no key in common with the others, so it may not be a record');
  return [text];
};

const ofValue: Read = ({ text }, { refuse }) => {
  if (!/^(["\d-]|null)/.test(text))
    throw refuse(`An entry of the list is ${kindOf(text)}, not a text or a number`);
  return text === 'null' ? [] : [`{"${VALUE_NAME}":${text}}`];
};

const ofRow: Read = ({ text }, { place: { columns = [] }, refuse }) => {
  const cells = isListText(text) ? [...partsOf(text)] : [];
  if (cells.length !== columns.length)
    throw refuse(`A row has ${cells.length} values for ${columns.length} columns`);
  return [`{${cells.map((cell, index) => `${JSON.stringify(columns[index])}:${cell.text}`).join(',')}}`];
};

const READ = {
  array: ofList,
  map: ofMap,
  values: ofValue,
  rows: ofRow,
  record: ofList,
};

/** The records in an entry; none where it is null or not a list. */
const inEntry =
  (each: Envelope): Read =>
  ({ text: entry }, { place, refuse }) => {
    const value = memberAt(entry, each.path) ?? 'null';
    const name = each.path.join('.');
    if (each.isMerged && isObjectText(entry)) return [merged(entry, { name, object: value })];
    if (value === 'null' && (each.form !== 'record' || entry === 'null')) return [];
    if (value === 'null') throw refuse(`An entry has no ${name}`);
    if (each.form === 'record' && !isObjectText(value))
      throw refuse(`${name} of an entry is ${kindOf(value)}`);
    if (each.form !== 'array' || isListOfObjects(value))
      return recordTexts(value, { ...each, resource: place.resource });
    throw refuse(`${name} of an entry is ${kindOf(value)}, not a list of objects`);
  };

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

/** True if a value as it is written is a list of objects, or an empty one. */
function isListOfObjects(value: string): boolean {
  return isListText(value) && [...partsOf(value)].every(({ text }) => isObjectText(text) || text === 'null');
}

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
  return text.startsWith('"') ? 'a text' : /^[tf]/.test(text) ? 'true or false' : 'a number';
}
