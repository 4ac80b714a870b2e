import { type PackedColumn, unpackedColumn } from '../../packed-column.ts';
import type { Cell, ReportTable } from '../../report-data.ts';

/** The rows of a table, by column: a hundred thousand rows are then a few lists. */
export interface TableRows {
  readonly count: number;
  cell(row: number, column: number): Cell;
}

/** The rows that the page has open. */
export function openRows({ rows }: ReportTable): TableRows {
  return { count: rows.length, cell: (row, column) => rows[row]?.[column] ?? null };
}

/** All rows of a table that is packed next to the page's data. */
export async function packedRows({ id, columns }: ReportTable): Promise<TableRows> {
  const all: readonly PackedColumn[] = await packedJson(`rows-${id}`);
  const cells = columns.map(({ kind }, index) => unpackedColumn(all[index] ?? { cells: [] }, kind));
  return { count: cells[0]?.length ?? 0, cell: (row, column) => cells[column]?.[row] ?? null };
}

/** The JSON that is packed in an element of the page. */
export async function packedJson<Value>(id: string): Promise<Value> {
  const packed = document.getElementById(id)?.textContent ?? '';
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}
