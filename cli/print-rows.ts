import type { QueryResult } from './open-tables.ts';
import { textTable } from './text-table.ts';

/** Prints the rows of a query on stdout: as a text table, CSV (RFC 4180), or one JSON array of objects. */
export function printRows({ columns, rows }: QueryResult, format: 'table' | 'csv' | 'json'): void {
  process.stdout.write(`${RENDER[format](columns, rows)}\n`);
}

type Render = (columns: readonly string[], rows: QueryResult['rows']) => string;

const RENDER: Readonly<Record<'table' | 'csv' | 'json', Render>> = {
  table: (columns, rows) =>
    `${textTable(
      columns,
      rows.map((row) => row.map(textOf)),
    )}\n(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`,
  csv: (columns, rows) => [columns, ...rows].map((line) => line.map(csvField).join(',')).join('\r\n'),
  json: (columns, rows) =>
    JSON.stringify(
      rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null]))),
    ),
};

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Null is written as an empty field, an empty text as `""`: some readers know the difference. */
function csvField(value: unknown): string {
  const text = textOf(value);
  if (value === '') return '""';
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
