import type { ObjectReader } from '../lake.ts';
import type { RawRow } from './raw.ts';
import { rawRows } from './raw-file.ts';

/** The records of each slice of a raw file, as JSON arrays. Its index must be readable (`readRawIndex`). */
export async function* rawRecords(
  reader: ObjectReader,
): AsyncGenerator<{ readonly page: number; readonly text: string }> {
  for await (const row of rawRows(reader)) {
    const text = recordsText(row);
    if (text !== undefined) yield { page: row.page, text };
  }
}

/** The records of a slice as a JSON array that DuckDB reads correctly; undefined without records. */
export function recordsText({ items, body, mended, recordsFrom, recordsTo }: RawRow): string | undefined {
  if (items === 0 || body === null) return undefined;
  if (mended !== null) return mended;
  const text = body.toString('utf8');
  // Both places count code points, as DuckDB does.
  return recordsFrom === null ? text : `[${[...text].slice(recordsFrom, recordsTo ?? recordsFrom).join('')}]`;
}
