import type { Tables } from '../../views/open-tables.ts';
import type { RunDates } from './run-dates.ts';

/** Rows of a source's players or screens that were read on one date. Later dates still have some of them. */
export type CarriedRows = Awaited<ReturnType<typeof readCarriedRows>>[number];

/** SQL of these rows by table, source and date, as the opened days have them. */
export const CARRIED_ROWS = `
  -- grain: a table, a source, a date, and an earlier date
  select name, shown.export_source, told.export_date, shown.export_date, sum(records)
  from (
    select 'players' as name, export_source, export_run_id, export_date, count(*) as records
    from players_daily
    group by all
    union all
    select 'screens', export_source, export_run_id, export_date, count(*)
    from screens_daily
    group by all
  ) as shown
  join runs as told on told.export_source = shown.export_source and told.export_run_id = shown.export_run_id
  where told.export_date < shown.export_date
  group by all`;

export async function readCarriedRows(tables: Tables) {
  const { rows } = await tables.query(CARRIED_ROWS);
  const groups = Map.groupBy(rows, ([name, source, from]) => JSON.stringify([name, source, from]));
  return [...groups.values()].map((group) => ({
    source: String(group[0]?.[1]),
    /** The date of the answer. */
    from: String(group[0]?.[2]),
    /** By later date: how many of the rows it has. */
    left: new Map(group.map(([, , , date, records]) => [String(date), Number(records)])),
  }));
}

interface Span {
  readonly since: string;
  readonly until: string;
  /** The last day of which figures are wanted. */
  readonly last: string;
}

/**
 * Dates outside a span of days that it needs too. Some are earlier: the span carries their rows. The others are later:
 * on them, some of these rows were read again.
 */
export function datesOfCarried(
  carried: readonly CarriedRows[],
  { bySource }: Pick<RunDates, 'bySource'>,
  { since, until, last }: Span,
): ReadonlySet<string> {
  const dates = new Set<string>();
  for (const { source, from, left } of carried.filter((rows) => rows.from <= last)) {
    if (from < since && [...left.keys()].some((date) => date >= since && date <= last)) dates.add(from);
    let before = 0;
    for (const date of bySource.get(source)?.filter((each) => each > from) ?? []) {
      const now = left.get(date) ?? 0;
      if (now < before && date > until) dates.add(date);
      before = now;
    }
  }
  return dates;
}
