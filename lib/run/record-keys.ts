/** More different keys than this are no keys but data, of a hostile server or in an object that is a map. */
const MOST_KEYS = 1000;

/** The keys of a resource's records, noted as they come: plan need not read every record for them then. */
export interface RecordKeys {
  /** `isMended`: DuckDB shall read the records in another form, which may have other keys. */
  add(records: readonly unknown[], isMended: boolean): void;
  /** As a JSON array; undefined where not all are known. */
  text(): string | undefined;
}

export function createRecordKeys(): RecordKeys {
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
    add: (records, isMended) => {
      isKnown &&= !isMended;
      if (isKnown) records.forEach(take);
      isKnown &&= keys.size <= MOST_KEYS;
    },
    text: () => (isKnown ? JSON.stringify([...keys]) : undefined),
  };
}
