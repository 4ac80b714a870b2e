import { isIgnored, type Said } from '../beside/beside.ts';
import { wordsOf } from '../beside/words.ts';
import { faultAmong, isAboutFault, mayTellFault } from './error-in-body.ts';

/** Entries of a list that stand in place of a record. */
export interface ErrorEntries {
  readonly count: number;
  /** The member that tells an error; null for entries that have no member. */
  readonly name: string | null;
  /** True: they have nothing of a record, whatever the others are like. */
  readonly isAll: boolean;
}

/** Looks at the records of a listing as they come. */
export interface EntriesLooked {
  readonly look: (records: readonly unknown[]) => void;
  /** What was found among them so far; null if all are records. */
  readonly found: () => ErrorEntries | null;
}

/** The most records whose fields are compared. */
const COMPARED = 1000;
/** The most entries that are looked at for an error. */
const LOOKED = 1000;
/** A field that this share of the others has is one that a record has. */
const NEARLY_ALL = 0.9;
/** An entry that lacks this share of them is no record. */
const LACKED = 0.5;
/** An entry with fewer fields than this share of the most is looked at, whatever its fields are called. */
const THIN = 0.75;
/** Objects within each other in which an entry may tell an error and nothing else. */
const DEEPEST = 4;
/** Before another one has come, an entry with fewer fields. */
const FEW = 5;

/**
 * Finds `{"error": "timeout", "Id": 3001}` among records: an entry that tells an error by a member which hardly another record
 * has, and that lacks what nearly all others have. A record with an error among full other fields is a record. An entry that has
 * nothing but an error is none though it stands alone; where all have no member, nobody knows what they are.
 */
export function createErrorEntries(ignore: readonly string[]): EntriesLooked {
  const has = new Map<string, number>();
  const telling: { readonly name: string; readonly fields: ReadonlySet<string> }[] = [];
  let alone: ErrorEntries | null = null;
  let blank = 0;
  let hasMembers = false;
  let others = 0;
  let most = 0;
  const look = (entry: unknown): void => {
    const record = inWrapper(entry);
    if (record === null) return;
    const fields = fieldsOf(record);
    if (fields.length === 0) blank += 1;
    else hasMembers = true;
    const mayTell = fields.length < (others === 0 ? FEW : most * THIN) || fields.some(isNamedFault);
    const only = mayTell ? onlyToldBy(entry, ignore) : undefined;
    if (only !== undefined) {
      alone = { name: alone?.name ?? only, count: (alone?.count ?? 0) + 1, isAll: true };
      return;
    }
    const name = mayTell && telling.length < LOOKED ? toldBy(record, ignore) : undefined;
    if (name !== undefined) telling.push({ name, fields: new Set(fields) });
    else if (others < COMPARED) {
      others += 1;
      most = Math.max(most, fields.length);
      for (const field of fields) has.set(field, (has.get(field) ?? 0) + 1);
    }
  };
  return {
    look: (records) => records.forEach(look),
    found: () => {
      if (alone !== null) return alone;
      if (blank > 0 && !hasMembers) return { count: blank, name: null, isAll: true };
      if (telling.length === 0) return null;
      const usual = [...has].filter(([, count]) => count >= NEARLY_ALL * others).map(([field]) => field);
      if (usual.length < 2) return null;
      const errors = telling.filter(({ name, fields }) => {
        const lacked = usual.filter((field) => !fields.has(field)).length;
        return lacked >= LACKED * usual.length && (has.get(name) ?? 0) <= (1 - NEARLY_ALL) * others;
      });
      const [one] = errors;
      return one === undefined ? null : { count: errors.length, name: one.name, isAll: false };
    },
  };
}

/** The record, without an object that holds nothing else; null for no object. */
function inWrapper(entry: unknown): object | null {
  if (!isObject(entry)) return null;
  const [only, ...others] = Object.values(entry);
  return others.length === 0 && isObject(only) ? only : entry;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names of members, and of those of the objects in them: `attributes` and `attributes.City`. */
function fieldsOf(record: object): readonly string[] {
  return Object.entries(record).flatMap(([name, value]) =>
    isObject(value) ? [name, ...Object.keys(value).map((inner) => `${name}.${inner}`)] : name,
  );
}

/** The member by which an entry tells an error. */
function toldBy(record: object, ignore: readonly string[]): string | undefined {
  const members = membersOf(record, 2);
  return faultAmong(members.filter((said) => !isIgnored(said, ignore)))?.path[0];
}

/** The member by which an entry tells an error that has nothing else: `{"error": {"code": 5}}`. */
function onlyToldBy(entry: unknown, ignore: readonly string[]): string | undefined {
  if (!isObject(entry)) return undefined;
  const members = membersOf(entry, DEEPEST).filter((said) => !isIgnored(said, ignore));
  const fault = faultAmong(members);
  return fault !== null && members.every((said) => isAboutFault(said, members)) ? fault.path[0] : undefined;
}

/** The members of a record, and of the objects in it, down to so many names. */
function membersOf(record: object, depth: number, above: readonly string[] = []): readonly Said[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const path = [...above, name];
    return isObject(value) && path.length < depth
      ? membersOf(value, depth, path)
      : [{ path, value, isHeader: false, isAside: false }];
  });
}

/** What is known of the names of fields, for those of 10,000 children are the same. */
const known = new Map<string, boolean>();
const KNOWN_AT_MOST = 10_000;

function isNamedFault(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const is = mayTellFault(wordsOf(name));
  if (known.size < KNOWN_AT_MOST) known.set(name, is);
  return is;
}
