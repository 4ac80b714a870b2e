import type { Cell, ReportColumn, ReportTable } from '../report-data.ts';
import type { Translate } from './words.ts';

export type Row = readonly Cell[];

/** Kinds of cells that are words: a filter reads only these, because people do not search for figures. */
const WORDS = new Set<ReportColumn['kind']>(['text', 'word', 'state']);

/** A text as people type it in a hurry: without case and accents, so that munchen finds München. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l');
}

/** The words of each row in plain form. */
export function searchTexts({ columns, rows }: ReportTable, t: Translate): ReadonlyMap<Row, string> {
  const textOf = (row: Row) =>
    columns
      .flatMap(({ kind }, index) => {
        const cell = row[index] ?? null;
        if (!WORDS.has(kind) || cell === null) return [];
        return [kind === 'text' ? String(cell) : t(String(cell))];
      })
      .join('\n');
  return new Map(rows.map((row) => [row, plain(textOf(row))]));
}

/** Those of the rows that contain every word of the filter. */
export function matching(
  filter: string,
  texts: ReadonlyMap<Row, string>,
  rows: readonly Row[],
): readonly Row[] {
  const words = plain(filter).split(/\s+/).filter(Boolean);
  return rows.filter((row) => words.every((word) => texts.get(row)?.includes(word)));
}

/** The rows by a column; unknown values come last in both directions. */
export function sorted(
  rows: readonly Row[],
  {
    by,
    descending,
    locale,
  }: { readonly by: number; readonly descending: boolean; readonly locale: string | undefined },
): readonly Row[] {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left = null, right = null] = [a[by], b[by]];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : compare(String(left), String(right));
    return sign * order;
  });
}
