import type { RawNotes } from './answers.ts';

/** An object with more different keys has data in its keys: it is a map, or the server is hostile. */
const MOST_KEYS = 1000;

/**
 * Notes the keys of a resource's records as they come, so that plan need not read every record. `isMended`: DuckDB reads
 * these records in their mended form, which may have other keys. The text is a JSON array, undefined where some are unknown.
 */
export function createRecordKeys() {
  const keys = new Set<string>();
  let isKnown = true;
  let last: readonly string[] = [];

  const take = (record: unknown): void => {
    if (typeof record !== 'object' || record === null) return;
    const own = Object.keys(record);
    // Nearly all records have the keys of the one before.
    if (own.length === last.length && own.every((key, index) => key === last[index])) return;
    for (const key of own) keys.add(key);
    last = own;
  };

  return {
    add: (records: readonly unknown[], isMended: boolean): void => {
      isKnown &&= !isMended;
      if (isKnown) records.forEach(take);
      isKnown &&= keys.size <= MOST_KEYS;
    },
    text: () => (isKnown ? JSON.stringify([...keys]) : undefined),
  };
}

/** The keys of all records in raw, in a fixed order; undefined where a file lacks them. */
export function notedKeys(notes: readonly RawNotes[]): readonly string[] | undefined {
  if (notes.some(({ keys }) => keys === undefined)) return undefined;
  return [...new Set(notes.flatMap(({ keys = '[]' }): string[] => JSON.parse(keys)))].sort();
}
