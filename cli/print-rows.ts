import { printableCell } from '#lib/printable.ts';
import type { QueryResult } from '#lib/views/open-tables.ts';
import { put, say } from './say.ts';
import { textTable } from './text-table.ts';

export interface RowsOptions {
  readonly format: 'table' | 'csv' | 'json';
  /** No text of the CSV is a formula of a spreadsheet. @default false */
  readonly safe?: boolean;
}

/**
 * Prints the rows of a query on stdout: as a text table, CSV (RFC 4180), or one JSON array of objects. CSV that goes into
 * a file or to a program has each value as it is.
 */
export function printRows({ columns, rows }: QueryResult, { format, safe = false }: RowsOptions): void {
  if (format === 'json') say(JSON.stringify(objectsOf(columns, rows)));
  else if (format === 'table') say(tableOf(columns, rows));
  else put(csvOf([columns, ...rows], { safe, toTerminal: process.stdout.isTTY }));
}

type Rows = QueryResult['rows'];

function objectsOf(columns: readonly string[], rows: Rows): readonly object[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}

function tableOf(columns: readonly string[], rows: Rows): string {
  const table = textTable(
    columns,
    rows.map((row) => row.map(textOf)),
  );
  return `${table}\n(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function csvOf(
  lines: Rows,
  { safe, toTerminal }: { readonly safe: boolean; readonly toTerminal: boolean },
): string {
  const textIn = (value: unknown): string => {
    const text = safe ? withoutFormula(value) : textOf(value);
    return toTerminal ? printableCell(text) : text;
  };
  // Null is written as an empty field, an empty text as `""`: some readers know the difference.
  const field = (value: unknown): string => (value === '' ? '""' : quotedField(textIn(value)));
  return lines.map((line) => line.map(field).join(',')).join('\r\n');
}

function quotedField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets take a text that begins so for a formula, which may read other cells and send them away. A quotation mark
 * before it says that it is none. Numbers are left alone.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function withoutFormula(value: unknown): string {
  const text = textOf(value);
  return typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)
    ? `'${text}`
    : text;
}
