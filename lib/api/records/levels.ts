import { roleOf } from '../beside/page-roles.ts';
import { wordsOf } from '../beside/words.ts';
import type { Container } from '../body/scan.ts';
import { type Envelope, renderEnvelope } from '../dialect.ts';
import { plainName } from './member-at.ts';

/** Entries of a list that are no records by themselves, and where the records are. */
export interface Level {
  /** As the end of a sentence. */
  readonly says: string;
  readonly items: string;
}

/**
 * Where the records of a list are that hold something else in place of themselves: each a list and nothing that names it
 * (`[{"screens": […]}]`), or the one record (`[{"Player": {…}}]`). Null where the entries are the records.
 */
export function levelIn(container: Container, entries: readonly object[]): Level | null {
  const [first] = entries;
  if (first === undefined) return null;
  const list = { path: container.path, form: 'array' } as const;
  const holds = (name: string, form: Envelope['form']): string =>
    renderEnvelope({ ...list, each: { path: [name], form } });
  for (const [name, value] of Object.entries(first)) {
    if (isList(value) && entries.every((entry) => isLevel(entry, name)) && isFullest(entries, name))
      return {
        says: 'each entry holds a list and nothing that tells it from the others',
        items: holds(name, 'array'),
      };
    if (isObject(value) && entries.every((entry) => isWrapper(entry, name)))
      return { says: 'each entry is a wrapper around one record', items: holds(name, 'record') };
  }
  return null;
}

/**
 * Where the records of a list are whose entries are lists of them, or groups that hold them under the listing's own name
 * (`regions[].players`), one of `names`. Null where they are not.
 */
export function groupsIn(
  container: Container,
  { entries, names }: { readonly entries: readonly object[]; readonly names: ReadonlySet<string> },
): Level | null {
  const list = { path: container.path, form: 'array' } as const;
  const holds = (path: readonly string[]): string =>
    renderEnvelope({ ...list, each: { path, form: 'array' } });
  if (entries.some((entry) => isList(entry) && entry.length > 0))
    return { says: 'there are lists of records', items: holds([]) };
  const [first] = entries;
  if (first === undefined) return null;
  const own = Object.keys(first).find(
    (name) => names.has(plainName(name)) && entries.every((entry) => isList(Reflect.get(entry, name))),
  );
  return own === undefined
    ? null
    : { says: `each entry holds a list under the listing's own name, ${own}`, items: holds([own]) };
}

function isLevel(entry: object, list: string): boolean {
  const value: unknown = Reflect.get(entry, list);
  if (value !== undefined && value !== null && !isList(value)) return false;
  return Object.entries(entry).every(([name, other]) => name === list || namesNothing(name, other));
}

function isWrapper(entry: object, record: string): boolean {
  return Object.entries(entry).every(([name, value]) =>
    name === record ? isObject(value) && holdsValues(value) : isOfPages(name, value) || isEmpty(value),
  );
}

/** True if the list has entries, or nothing else has: `highlights: []` beside `document: {…}` holds no records. */
function isFullest(entries: readonly object[], list: string): boolean {
  const filled = entries.flatMap((entry) =>
    Object.entries(entry).flatMap(([name, value]) =>
      isEmpty(value) || isOfPages(name, value) ? [] : [name],
    ),
  );
  return filled.length === 0 || filled.includes(list);
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}

/** An object of objects, such as links, is no record. */
function holdsValues(value: object): boolean {
  return Object.values(value).some((each) => typeof each !== 'object');
}

/** A list or object, or a member that speaks of pages: none by which a record is known. */
function namesNothing(name: string, value: unknown): boolean {
  return typeof value === 'object' || isOfPages(name, value);
}

function isOfPages(name: string, value: unknown): boolean {
  const role = roleOf(wordsOf(name), value);
  return role !== undefined && role !== 'idle';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of objects, or one that is empty today. */
function isList(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.every(isObject);
}
