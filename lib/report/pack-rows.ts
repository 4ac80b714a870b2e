import { deflateRawSync } from 'node:zlib';
import { printable } from '../text.ts';
import { packedColumn } from './packed-column.ts';
import type { ReportTable } from './report-data.ts';

/** Rows that the page has open from the start; one without more than four times as many has them all so. */
const OPEN_ROWS = 125;
const OPEN_WHOLE = 4 * OPEN_ROWS;

/** A table with its first rows, and all of them packed; undefined where the first are all. */
export interface PackedTable {
  readonly table: ReportTable;
  readonly packed?: string;
}

/**
 * Splits a long table: its columns are packed, deflated and told in base64, which is a third to a tenth of what JSON
 * takes, and what the browser need not read before it shows the first rows.
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

/** A value of JSON, deflated, in base64. */
export function packedJson(value: unknown): string {
  return deflateRawSync(JSON.stringify(value), { level: 9 }).toString('base64');
}
