import type { ReportTable } from '../../report-data.ts';
import type { Formats } from '../formats.ts';

/** Rows at first, and again with each press of the button. */
export const PAGE_ROWS = 15;

export interface Said {
  /** Rows that the page has. */
  readonly held: number;
  /** Rows of the value of a group; undefined = all. */
  readonly of: number | undefined;
  readonly found: number;
  readonly shown: number;
  readonly formats: Pick<Formats, 't' | 'number'>;
}

/** How many rows of how many are shown; nothing if a short table shows all. */
export function sayRows(
  table: Pick<ReportTable, 'total' | 'isPacked' | 'rows' | 'view'>,
  { held, of, found, shown, formats }: Said,
): string {
  const { t, number } = formats;
  const all = of ?? table.total;
  if (all <= PAGE_ROWS && found === (of ?? held)) return '';
  const part =
    found < (of ?? held)
      ? t('{shown} of {found} that match.', { shown: number(Math.min(found, shown)), found: number(found) })
      : t('{shown} of {all}.', { shown: number(Math.min(found, shown)), all: number(all) });
  const isCut = held < table.total && (!table.isPacked || held > table.rows.length);
  const beyond = isCut
    ? ` ${t('The page holds the first {listed}: query {view} has all.', { listed: number(held), view: table.view })}`
    : '';
  return `${part}${beyond}`;
}

/** Why no row is shown: a list with unknown parts is not called empty. */
export function sayNone(
  { notKnown }: Pick<ReportTable, 'notKnown'>,
  filter: string,
  { t }: Pick<Formats, 't'>,
): string {
  if (filter !== '') return t('Nothing matches the filter.');
  return notKnown.length === 0 ? t('None.') : t('None is known.');
}
