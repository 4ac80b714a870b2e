import Table from 'cli-table3';
import { printableCell } from '#lib/printable.ts';

/** Rows as a text table; columns of numbers are aligned to the right. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const numeric = head.map((_, column) => rows.every((row) => /^-?[\d.,% ]*$/.test(row[column] ?? '')));
  const table = new Table({
    head: [...head],
    colAligns: numeric.map((is) => (is ? 'right' : 'left')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: LINES,
  });
  table.push(...rows.map((row) => row.map(printableCell)));
  return table.toString();
}

/** No lines but the one below the head, so that the table can be copied and grepped. */
const LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};
