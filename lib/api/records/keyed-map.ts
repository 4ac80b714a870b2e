import type { Container } from '../body/scan.ts';
import { textOf } from '../body/text-of.ts';

/** An object with one of these keys says how a call ended; it is no map of records and no record. */
export const NO_RECORD_KEYS = new Set(['error', 'message', 'success', 'result']);

/** Entries that are compared: enough to see that they are alike. */
const COMPARED = 1000;
/** Shared keys that are remembered: enough to know a record by. */
const REMEMBERED = 100;

type Read = (from: number, to: number) => Buffer;

/**
 * The keys that most entries of an object of objects share, if it is a listing; null if it is not. A listing has at least
 * two entries, none is named like a status, and they share most of their keys.
 */
export function keysOfMap(container: Container, read: Read): readonly string[] | null {
  if (container.kind !== 'object' || container.objects < 2 || container.objects !== container.children)
    return null;
  const entries = entriesOf(container, read);
  if (entries === null) return null;
  const shared = keysOfMost(entries);
  const all = entries.flat();
  const covered = all.filter((key) => shared.has(key)).length;
  return covered * 2 > all.length ? [...shared].slice(0, REMEMBERED) : null;
}

/**
 * True if an object of objects is a map like the one whose entries share these keys; it may have one entry or none. Most
 * of its entries' keys are among the shared ones, or most of the shared ones among its own. The details of an error are not.
 */
export function isLikeMap(
  container: Container,
  { keys, read }: { readonly keys: readonly string[] | undefined; readonly read: Read },
): boolean {
  if (container.kind !== 'object') return false;
  if (container.children === 0) return true;
  if (container.objects === 0) return false;
  if (keys === undefined) return container.objects === container.children;
  const entries = entriesOf(container, read);
  if (entries === null) return false;
  // What shares nothing with the records stands beside them: a last page may have one record and a `pagination`.
  const shared = new Set(keys);
  const own = keysOfMost(entries.filter((entry) => !isUnlike(entry, shared)));
  const known = keys.filter((key) => own.has(key)).length;
  return known * 2 > Math.min(own.size, keys.length);
}

/** Whether an object with these keys, if it has any, shares none with most records. */
export function isUnlike(own: readonly string[], shared: ReadonlySet<string>): boolean {
  return own.length > 0 && shared.size > 0 && !own.some((key) => shared.has(key));
}

/** The keys of each entry that is an object; null where one is named like a status. */
function entriesOf(container: Container, read: Read): ReadonlyArray<readonly string[]> | null {
  const [piece] = container.cuts;
  if (piece === undefined) return null;
  const entries = parsed(`{${textOf(read(container.first, piece.at))}}`);
  const objects = entries?.filter(
    ([, entry]) => typeof entry === 'object' && entry !== null && !Array.isArray(entry),
  );
  if (objects === undefined || objects.some(([name]) => NO_RECORD_KEYS.has(name.toLowerCase()))) return null;
  return objects.map(([, record]) => Object.keys(record));
}

function parsed(text: string): ReadonlyArray<[string, object]> | null {
  try {
    return Object.entries(JSON.parse(text)).slice(0, COMPARED) as Array<[string, object]>;
  } catch {
    return null;
  }
}

/** The keys that most entries have: some servers leave out attributes without a value. */
function keysOfMost(records: ReadonlyArray<readonly string[]>): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const key of records.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Set([...counts].flatMap(([key, count]) => (count > records.length / 2 ? [key] : [])));
}
