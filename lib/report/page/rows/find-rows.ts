import type { ReportColumn, ReportTable } from '../../report-data.ts';
import type { Translate } from '../words.ts';
import type { TableRows } from './table-rows.ts';

/** Kinds of cells that are words: a filter reads only these, because people do not search for figures. */
const WORDS = new Set<ReportColumn['kind']>(['text', 'word', 'state']);
/** Rows between two checks of what the reader does. */
const ROWS_A_TURN = 10_000;

/** A text as people type it in a hurry: without case and accents, so that munchen finds München. */
function plain(text: string): string {
  const lower = text.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, which has no accents to remove.
  if (/^[\u0000-\u007f]*$/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l');
}

/** The words of each row in plain form. A hundred thousand take a tenth of a second, so it pauses for the reader. */
export async function searchTexts(
  { columns }: ReportTable,
  rows: TableRows,
  { t, rest }: { readonly t: Translate; readonly rest: () => Promise<unknown> },
): Promise<readonly string[]> {
  const looked = columns.flatMap(({ kind }, index) => (WORDS.has(kind) ? [{ kind, index }] : []));
  const known = new Map<string, string>();
  const plainOf = (text: string, isOurs: boolean) => {
    const found = known.get(text) ?? plain(isOurs ? t(text) : text);
    known.set(text, found);
    return found;
  };
  const texts: string[] = [];
  for (let row = 0; row < rows.count; row++) {
    if (row % ROWS_A_TURN === ROWS_A_TURN - 1) await rest();
    let line = '';
    for (const { kind, index } of looked) {
      const cell = rows.cell(row, index);
      if (cell !== null) line += `${plainOf(String(cell), kind !== 'text')}\n`;
    }
    texts.push(line);
  }
  return texts;
}

/** Those of the rows that contain every word of the filter. */
export function matching(
  filter: string,
  texts: readonly string[],
  rows: readonly number[],
): readonly number[] {
  const words = plain(filter).split(/\s+/).filter(Boolean);
  return rows.filter((row) => words.every((word) => texts[row]?.includes(word)));
}

/** The rows by a column; unknown values come last in both directions. */
export function sorted(
  found: readonly number[],
  rows: TableRows,
  {
    by,
    descending,
    locale,
  }: { readonly by: number; readonly descending: boolean; readonly locale: string | undefined },
): readonly number[] {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const sign = descending ? -1 : 1;
  return found.toSorted((a, b) => {
    const [left, right] = [rows.cell(a, by), rows.cell(b, by)];
    if (left === null || right === null) return Number(left === null) - Number(right === null) || a - b;
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : compare(String(left), String(right));
    return sign * order || a - b;
  });
}
