import { deflateRawSync } from 'node:zlib';
import { printable } from '../text.ts';
import { packedColumn } from './packed-column.ts';
import type { ReportTable } from './report-data.ts';

/** Rows that the page opens from the start. A table with up to four times as many opens them all. */
const OPEN_ROWS = 125;
const OPEN_WHOLE = 4 * OPEN_ROWS;

/** A table with its first rows, and all of them packed; undefined if the first are all. */
export interface PackedTable {
  readonly table: ReportTable;
  readonly packed?: string;
}

/**
 * Splits a long table: its columns are packed, deflated and written in base64. This takes a third to a tenth
 * of JSON. The browser need not read it before it shows the first rows.
 */
export function packRows(table: ReportTable): PackedTable {
  if (table.rows.length <= OPEN_WHOLE) return { table };
  const columns = table.columns.map(({ kind }, index) =>
    packedColumn(
      table.rows.map((row) => {
        const cell = row[index] ?? null;
        return typeof cell === 'string' ? printable(cell) : cell;
      }),
      kind,
    ),
  );
  return {
    table: { ...table, rows: table.rows.slice(0, OPEN_ROWS), isPacked: true },
    packed: packedJson(columns),
  };
}

/** A JSON value, deflated, in base64. */
export function packedJson(value: unknown): string {
  return deflateRawSync(JSON.stringify(value), { level: 9 }).toString('base64');
}
