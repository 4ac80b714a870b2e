import { counted, printable, printableCell } from '#lib/text.ts';
import type { QueryResult } from '#lib/views/open-tables.ts';
import { readingOrder } from '#lib/views/reading-order.ts';
import { roundedText, roundedTime } from './rounded.ts';
import { put, say, show } from './say.ts';
import { textTable } from './text-table.ts';

export interface RowsOptions {
  /** Undefined = a table for people: on a terminal its numbers are rounded, and it ends after 50 rows. */
  readonly format: 'table' | 'csv' | 'json' | undefined;
  /** All rows, whatever their number. @default false */
  readonly all?: boolean;
  /** No text of the CSV is a spreadsheet's formula, or controls a program that shows it. @default false */
  readonly safe?: boolean;
  /** For a whole view or table: the columns that answer its question, which a person reads first. */
  readonly tells?: readonly string[] | undefined;
}

/**
 * Prints the rows of a query on stdout: as a text table, CSV (RFC 4180), or one JSON array of objects. CSV for a file
 * or a program has each value as it is. On a terminal, and if it must be safe, control characters become escapes.
 */
export function printRows(
  result: QueryResult,
  { format, all = false, safe = false, tells }: RowsOptions,
): void {
  const { columns, rows } = result;
  if (format === 'json') say(objectsOf(columns, rows));
  else if (format !== 'csv') {
    const isShort = format === undefined && process.stdout.isTTY;
    const most = all || !isShort ? rows.length : ROWS_SHOWN;
    const read = isShort && tells !== undefined ? inReadingOrder(result, tells) : result;
    show(tableOf(read, { most, isShort }));
  } else put(csvOf([columns, ...rows], { safe, toTerminal: process.stdout.isTTY }));
}

function inReadingOrder({ columns, types, rows }: QueryResult, tells: readonly string[]): QueryResult {
  const order = readingOrder(columns, tells);
  const inOrder = <Item>(items: readonly Item[]) => order.flatMap((index) => items.slice(index, index + 1));
  return { columns: inOrder(columns), types: inOrder(types), rows: rows.map(inOrder) };
}

type Rows = QueryResult['rows'];

function objectsOf(columns: readonly string[], rows: Rows): readonly object[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}

/** Rows of a table on a terminal. */
const ROWS_SHOWN = 50;

function tableOf(
  { columns, types, rows }: QueryResult,
  { most, isShort }: { readonly most: number; readonly isShort: boolean },
): string {
  const forPeople = types.map((type) => (isShort ? roundingOf(type) : undefined));
  const textIn = (value: unknown, index: number) => forPeople[index]?.(textOf(value)) ?? textOf(value);
  const table = textTable(
    columns,
    rows.slice(0, most).map((row) => row.map(textIn)),
    isShort ? { more: '--format table shows them' } : { width: Number.POSITIVE_INFINITY },
  );
  const left = rows.length - most;
  if (left > 0) return `${table}\n… ${left} more, --all shows them`;
  return `${table}\n(${counted(rows.length, 'row')})`;
}

function roundingOf(type: string): ((text: string) => string) | undefined {
  if (/^(decimal|double|float|real)/i.test(type)) return roundedText;
  return /^timestamp/i.test(type) ? roundedTime : undefined;
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
    const text = safe ? printable(withoutFormula(value)) : textOf(value);
    return toTerminal ? printableCell(text) : text;
  };
  // Null becomes an empty field, an empty text `""`: some readers know the difference.
  const field = (value: unknown): string => (value === '' ? '""' : quotedField(textIn(value)));
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

function quotedField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets take such a text for a formula, which may read other cells and send them away. A quotation mark before it
 * prevents that. Numbers stay as they are.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function withoutFormula(value: unknown): string {
  const text = textOf(value);
  return typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)
    ? `'${text}`
    : text;
}
