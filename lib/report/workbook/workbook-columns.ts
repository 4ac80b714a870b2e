import { ceiledShare, flooredShare, printable, roundedUp } from '../../text.ts';
import type { QueryResult } from '../../views/open-tables.ts';
import { readingOrder } from '../../views/reading-order.ts';

/** How a sheet shows a column. */
export type WorkbookColumn = ReturnType<typeof workbookColumns>[number];

/** How the first row of a sheet looks. */
export const HEAD = { fontWeight: 'bold', backgroundColor: '#E8ECF1', wrap: true } as const;
const TIME = 'yyyy-mm-dd hh:mm';
const DAY = 'yyyy-mm-dd';
export const SHARE_DIGITS = 2;
const SHARE = `0.${'0'.repeat(SHARE_DIGITS)}%`;
/** Excel has no unit of bytes: a number is shown in GB or MB by its size. */
const BYTES = '[>=1000000000]#,##0.0,,," GB";[>=1000000]#,##0.0,," MB";#,##0" B"';
/** A number grouped like the formats here, with at least their digits. */
const GROUPED = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const [LEAST_WIDTH, MOST_WIDTH] = [10, 44];
/** Rows that decide the width of a column. */
const ROWS_LOOKED_AT = 500;

/** The columns of a view in the order for a person; `tells` are those that answer its question. */
export function workbookColumns({ columns, types, rows }: QueryResult, tells: readonly string[]) {
  // A sheet shows export_date as a date, and so needs no second one.
  const shown = readingOrder(columns, tells).filter(
    (index) => columns[index] !== 'date' || !columns.includes('export_date'),
  );
  return shown.map((index) => {
    const name = columns[index] ?? '';
    const type = types[index] ?? '';
    const isTime = /^TIMESTAMP/.test(type);
    const isDay = name === 'export_date' || name === 'compared_with' || type === 'DATE';
    const format = isTime ? TIME : isDay ? DAY : numberFormat(name, type);
    const longest = Math.max(
      name.length + 3,
      ...rows.slice(0, ROWS_LOOKED_AT).map((row) => (isTime ? TIME.length : toldLength(row[index], format))),
    );
    return {
      /** Its place in the answer. */
      index,
      head: name.replaceAll('_', ' '),
      // Without a format, numbers and times are as they are.
      ...(format !== undefined && { format, ...rounding(name, format) }),
      isTime,
      isDay,
      width: Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, longest + 1)),
    };
  });
}

/** The format of a figure by its name; undefined for texts and ids. */
function numberFormat(name: string, type: string): string | undefined {
  if (/^(VARCHAR|BOOLEAN)/.test(type) || /(^|_)(id|number|key)$/.test(name)) return undefined;
  if (/(^|_)(share|coverage|availability|target|sampling_error|possible_error)$/.test(name)) return SHARE;
  if (/^(slot|storage)_(size|used|idle|reserved)$|^backup_(slots_size|used(_least|_most)?)$/.test(name))
    return BYTES;
  if (name === 'price' || name === 'cost') return '#,##0.00##';
  if (/_gb$|_a_day$/.test(name)) return '#,##0.0##';
  if (/hours|_days|^days_/.test(name)) return '#,##0.0';
  if (/^(DOUBLE|DECIMAL|FLOAT)/.test(type)) return '#,##0.00';
  return '#,##0';
}

/** As on the page, a share is rounded down, and an error up. */
function rounding(name: string, format: string): { readonly round?: (value: number) => number } {
  const isError = /(^|_)(sampling|possible)_error(_|$)/.test(name);
  if (format === SHARE) {
    const rounded = isError ? ceiledShare : flooredShare;
    return { round: (value) => rounded(value, SHARE_DIGITS) };
  }
  // Hours have one digit.
  return isError ? { round: (value) => roundedUp(value, 10) } : {};
}

/** The text of any other cell. An invisible character, or one that can reverse text, becomes an escape. */
export function cellText(cell: unknown): string {
  return printable(typeof cell === 'string' ? cell : JSON.stringify(cell));
}

function toldLength(cell: unknown, format: string | undefined): number {
  if (cell === null || cell === undefined) return 0;
  if (format === undefined) return cellText(cell).length;
  return typeof cell === 'number' ? Math.max(12, GROUPED.format(cell).length) : DAY.length;
}
