import { counted, printable, printableCell } from '#lib/text.ts';
import type { QueryResult } from '#lib/views/open-tables.ts';
import { readingOrder } from '#lib/views/reading-order.ts';
import { roundedText, roundedTime } from './rounded.ts';
import { say, show } from './say.ts';
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

const ROWS_SHOWN = 50;

/** Prints rows as a table, CSV (RFC 4180) or a JSON array. A terminal and `safe` get no control characters. */
export function printRows(result: QueryResult, options: RowsOptions): void {
  const { columns, rows } = result;
  const { format, safe = false } = options;
  if (format === 'csv') process.stdout.write(csvOf([columns, ...rows], safe));
  else if (format === 'json')
    say(rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null]))));
  else if (format === undefined && process.stdout.isTTY) show(shortTable(result, options));
  else {
    const texts = rows.map((row) => row.map(cellText));
    const table = textTable(columns, texts, { width: Number.POSITIVE_INFINITY });
    show(`${table}\n(${counted(rows.length, 'row')})`);
  }
}

type Row = QueryResult['rows'][number];

/** The rows for a person: with the columns in the order of reading, and with rounded numbers and times. */
function shortTable({ columns, types, rows }: QueryResult, { all, tells }: RowsOptions): string {
  const order = tells === undefined ? [...columns.keys()] : readingOrder(columns, tells);
  const shown = all ? rows : rows.slice(0, ROWS_SHOWN);
  const rounded = (type: string, text: string) => {
    if (/^(decimal|double|float|real)/i.test(type)) return roundedText(text);
    return /^timestamp/i.test(type) ? roundedTime(text) : text;
  };
  const texts = shown.map((row) => order.map((at) => rounded(types[at] ?? '', cellText(row[at]))));
  const heads = order.map((at) => columns[at] ?? '');
  const table = textTable(heads, texts, { more: '--format table shows them' });
  const left = rows.length - shown.length;
  return `${table}\n${left > 0 ? `… ${left} more, --all shows them` : `(${counted(rows.length, 'row')})`}`;
}

function cellText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

function csvOf(lines: readonly Row[], safe: boolean): string {
  const field = (value: unknown): string => {
    // Null becomes an empty field, an empty text `""`: some readers know the difference.
    if (value === '') return '""';
    const text = safe ? printable(withoutFormula(value)) : cellText(value);
    const shown = process.stdout.isTTY ? printableCell(text) : text;
    return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/** A spreadsheet takes it for a formula, which may send cells away: owasp.org/www-community/attacks/CSV_Injection. */
function withoutFormula(value: unknown): string {
  const text = cellText(value);
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
  return isFormula ? `'${text}` : text;
}
