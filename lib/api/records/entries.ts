import { memberReader } from '../../fields.ts';
import { MAP_KEY } from '../../lake/raw/marks.ts';
import { keyCandidates, NO_ID } from '../../schema/record-key.ts';
import type { Resource } from '../../sources/resources.ts';
import type { Body } from '../body/body.ts';
import { jsonOf, textOf } from '../body/parse.ts';
import type { Container } from '../body/scan.ts';

/** An entry of a list, or of a map with its key. */
export type Entry = readonly [key: string | null, value: unknown];

/** Enough entries to see that they are alike. */
const COMPARED = 1000;
/** How many records of a list are compared. */
export const SAMPLED = 20;
/** A larger piece of a list has few and large records, which are not compared. */
const SAMPLE_BYTES = 1024 * 1024;
/** Enough keys to recognize a record. */
const REMEMBERED = 100;

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a numbered key: PHP and Firebase write a list with gaps as an object. */
export const isNumber = (key: string | null): boolean => key !== null && /^\d+$/.test(key);

/** True for a member that describes the end of a call: its object is not a map or a record. */
export const isStatusKey = (name: string): boolean => /^(error|message|success|result)$/i.test(name);

/** The first entries of a list or map. Empty where they are too large, or not JSON, which cutting reports. */
export function entriesOf({ kind, path, children, cuts, first }: Container, body: Body): readonly Entry[] {
  const isMap = kind === 'object';
  const known = path.reduce<unknown>((at, name) => Object(at)[name], body.json);
  const end = cuts[0]?.at ?? first;
  const length = Array.isArray(known) ? known.length : Object.keys(Object(known)).length;
  const isWhole = Array.isArray(known) !== isMap && length === children;
  if (!isWhole && (children === 0 || (!isMap && end - first > SAMPLE_BYTES))) return [];
  const text = isWhole ? '' : textOf(body.read(first, end));
  const value = isWhole ? known : jsonOf(isMap ? `{${text}}` : `[${text}]`);
  if (Array.isArray(value)) return value.slice(0, COMPARED).map((each: unknown) => [null, each]);
  return Object.entries(Object(value)).slice(0, COMPARED);
}

/** The first values of a list. */
export function valuesOf(container: Container, body: Body): readonly unknown[] {
  return entriesOf(container, body).map(([, value]) => value);
}

/** The first records of a list. */
export function sampleOf(container: Container, body: Body): readonly object[] {
  return valuesOf(container, body).slice(0, SAMPLED).filter(isObject);
}

/** True for a member with a value; the key in a map is none. */
export const hasValue = (record: object, name: string): boolean =>
  name !== MAP_KEY && Object.hasOwn(record, name) && Reflect.get(record, name) !== null;

/** How many of the keys a record has, with a value. */
export const shared = (record: object, keys: readonly string[]): number =>
  keys.filter((key) => hasValue(record, key)).length;

/** The keys that most records have: some servers leave out attributes without a value. */
export function sharedKeys(records: readonly object[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const key of records.flatMap(Object.keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const most = [...counts].flatMap(([key, count]) => (count > records.length / 2 ? [key] : []));
  return most.slice(0, REMEMBERED);
}

/**
 * The keys that most entries of a map of records share; null for another container. Entries must be like
 * records with known keys. Else two entries share most keys, or their own keys are numbers.
 */
export function keysOfMap(
  container: Container,
  { body, known }: { readonly body: Body; readonly known?: readonly string[] | undefined },
): readonly string[] | null {
  const { kind, objects, children } = container;
  if (kind !== 'object' || objects === 0 || (known === undefined && objects < children)) return null;
  const entries = entriesOf(container, body).filter(([, value]) => isObject(value));
  if (entries.length === 0 || entries.some(([key]) => isStatusKey(key ?? ''))) return null;
  const records = entries.map(([, value]) => Object(value));
  // A member without a shared key is next to the records: a last page may have one record and a `pagination`.
  if (known !== undefined)
    return areAlike(sharedKeys(records.filter((each) => shared(each, known) > 0)), known) ? known : null;
  const most = sharedKeys(records);
  const all = records.flatMap(Object.keys);
  const isMap = entries.length > 1 || entries.every(([key]) => isNumber(key));
  return isMap && all.filter((key) => most.includes(key)).length * 2 > all.length ? most : null;
}

/** True if most of its keys are keys of the records, or the other way round. */
export function areAlike(own: readonly string[], keys: readonly string[]): boolean {
  return own.filter((key) => keys.includes(key)).length * 2 > Math.min(own.length, keys.length);
}

/** The names that an id may have, best first; not `Code`, `Number`, `Type`, `Name`. */
export function idNames(names: readonly string[], resource: Resource): readonly string[] {
  const candidates = keyCandidates({ resource, fields: [...new Set([...names, MAP_KEY])] });
  return candidates.slice(0, candidates.indexOf(MAP_KEY));
}

/** The field that identifies records, by the setting `id` or by its name; undefined without one. */
export function idOfRecords(
  records: readonly object[],
  { resource, id }: { readonly resource: Resource; readonly id?: string | undefined },
): string | undefined {
  const names = id === undefined || id === NO_ID ? idNames(sharedKeys(records), resource) : [id];
  return names.find((name) => {
    const ids = records.flatMap((record) => idIn(record, name) ?? []);
    return ids.length === records.length && new Set(ids).size === ids.length;
  });
}

/** The text of a record's id; undefined where it has none. */
export function idIn(record: object, field: string): string | undefined {
  const [[, value] = []] = memberReader(field)(record);
  return Number.isInteger(value) || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}

/** True if the setting `id` names a field of an entry: the entries are the records. */
export function hasId(entries: readonly object[], id: string | undefined): boolean {
  return id !== undefined && id !== NO_ID && entries.some((entry) => memberReader(id)(entry).length > 0);
}

/** True if each object is among the records. It is so whole, or by its id if no shared member differs. */
export function areAmong(
  entries: readonly unknown[],
  { records, resource }: { readonly records: Iterable<readonly unknown[]>; readonly resource: Resource },
): boolean {
  if (entries.length === 0 || !entries.every(isObject)) return false;
  const [id] = idNames(sharedKeys(entries), resource);
  const keyOf = (entry: unknown): string =>
    (id === undefined ? undefined : idIn(Object(entry), id)) ?? JSON.stringify(entry);
  const left = new Map(entries.map((entry) => [keyOf(entry), entry]));
  for (const slice of records)
    for (const record of left.size === 0 ? [] : slice) {
      const key = keyOf(record);
      const its = { ...left.get(key), ...Object(record) };
      if (JSON.stringify(its) === JSON.stringify({ ...its, ...left.get(key) })) left.delete(key);
    }
  return left.size === 0;
}
