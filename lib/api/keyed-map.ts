import { textOf } from './body.ts';
import type { Container } from './scan.ts';

/** An object with one of these says how a call went: it is no map of records, and no record of its own. */
export const NO_RECORD_KEYS = new Set(['error', 'message', 'success', 'result']);

/** Entries that are compared: enough to see that they are alike. */
const COMPARED = 1000;

/**
 * Whether an object of objects is a listing: at least two entries, none of which is named like a status, and most
 * of whose keys most of them share.
 */
export function isKeyedMap(container: Container, read: (from: number, to: number) => Buffer): boolean {
  if (container.kind !== 'object' || container.children < 2 || container.objects !== container.children)
    return false;
  const [piece] = container.cuts;
  if (piece === undefined) return false;
  const entries = entriesOf(`{${textOf(read(container.first, piece.at))}}`);
  if (entries === null || entries.some(([name]) => NO_RECORD_KEYS.has(name.toLowerCase()))) return false;
  return shareMostKeys(entries.map(([, record]) => Object.keys(record)));
}

function entriesOf(text: string): ReadonlyArray<[string, object]> | null {
  try {
    return Object.entries(JSON.parse(text)).slice(0, COMPARED) as Array<[string, object]>;
  } catch {
    return null;
  }
}

/** Attributes without a value are left out by some servers, so no key need be in every entry. */
function shareMostKeys(records: ReadonlyArray<readonly string[]>): boolean {
  const counts = new Map<string, number>();
  for (const key of records.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const all = records.flat().length;
  const shared = [...counts.values()]
    .filter((count) => count > records.length / 2)
    .reduce((sum, count) => sum + count, 0);
  return all > 0 && shared * 2 > all;
}
