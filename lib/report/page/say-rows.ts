import type { ReportTable } from '../report-data.ts';
import type { Formats } from './formats.ts';

/** Rows at first, and again with each press of the button. */
export const PAGE_ROWS = 15;

export interface Said {
  /** Rows of the value of a group; undefined = all. */
  readonly of: number | undefined;
  readonly found: number;
  readonly shown: number;
  readonly formats: Pick<Formats, 't' | 'number'>;
}

/** How many rows of how many are shown; nothing if a short table shows all. */
export function sayRows(
  table: Pick<ReportTable, 'total' | 'rows' | 'query'>,
  { of, found, shown, formats }: Said,
): string {
  const { t, number } = formats;
  const held = table.rows.length;
  const all = of ?? table.total;
  if (all <= PAGE_ROWS && found === (of ?? held) && (of === undefined || held === table.total)) return '';
  const part =
    found < (of ?? held)
      ? t('{shown} of {found} that match.', { shown: number(Math.min(found, shown)), found: number(found) })
      : t('{shown} of {all}.', { shown: number(Math.min(found, shown)), all: number(all) });
  const beyond =
    held < table.total
      ? ` ${t('The page holds the first {listed}. All: {query}', { listed: number(held), query: table.query })}`
      : '';
  return `${part}${beyond}`;
}

/** Why no row is shown: a list with unknown parts is not called empty. */
export function sayNone(
  { notKnown, rows, total, query }: Pick<ReportTable, 'notKnown' | 'rows' | 'total' | 'query'>,
  filter: string,
  { t, number }: Pick<Formats, 't' | 'number'>,
): string {
  if (filter !== '') return t('Nothing matches the filter.');
  if (rows.length < total)
    return t('The page holds the first {listed}. All: {query}', { listed: number(rows.length), query });
  return notKnown.length === 0 ? t('None.') : t('None is known.');
}
