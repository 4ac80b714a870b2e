import type { Cell, ReportTable } from '../report-data.ts';
import type { Translate } from './words.ts';

/** Spreadsheets take such a text for a formula. */
const BEGINS_A_FORMULA = /^[=+\-@\t\r]/;

/** The rows as a CSV file, in UTF-8 with the mark that Excel needs. Figures are whole, times in UTC. */
export function csvOf(
  { columns }: Pick<ReportTable, 'columns'>,
  rows: readonly (readonly Cell[])[],
  t: Translate,
): Blob {
  const lines = [
    columns.map(({ label }) => quoted(t(label))),
    ...rows.map((row) => columns.map((_, index) => csvCell(row[index] ?? null))),
  ];
  return new Blob([`\uFEFF${lines.map((line) => `${line.join(',')}\r\n`).join('')}`], {
    type: 'text/csv;charset=utf-8',
  });
}

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  return quoted(BEGINS_A_FORMULA.test(cell) ? `'${cell}` : cell);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
