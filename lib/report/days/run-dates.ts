import type { Head } from '../../lake/head.ts';
import { daysBefore } from '../../time.ts';
import type { Tables } from '../../views/open-tables.ts';
import { SPANS } from '../report-data.ts';

export type RunDates = Awaited<ReturnType<typeof readRunDates>>;

/** Reads the dates of all runs, the oldest first. */
export async function readRunDates(tables: Tables) {
  const { rows } = await tables.query(`
    -- grain: a date and a source
    select export_source, export_date, count(*) filter (where status = 'complete') = 0 as is_partial
    from runs
    group by export_source, export_date
    order by export_date`);
  const bySource = Map.groupBy(rows, ([source]) => String(source));
  return {
    all: [...new Set(rows.map(([, date]) => String(date)))],
    /** The dates on which no run of some source was complete: their tables may have rows of earlier dates. */
    partial: [...new Set(rows.filter(([, , isPartial]) => isPartial).map(([, date]) => String(date)))],
    bySource: new Map([...bySource].map(([source, of]) => [source, of.map(([, date]) => String(date))])),
  };
}

/** The day that a span of days compares with: the last one that is so long before the newest. */
export function comparedDay(dates: readonly string[], days: number): string | undefined {
  const newest = dates.at(-1);
  return newest && dates.findLast((date) => date <= daysBefore(newest, days));
}

/** The newest day of each source, and the days that its news compare it with. */
export function comparedDates({ bySource }: RunDates): ReadonlySet<string> {
  const compared = [...bySource.values()].flatMap((dates) => {
    return [0, ...SPANS.map(Number)].map((days) => comparedDay(dates, days));
  });
  return new Set(compared.filter((date) => date !== undefined));
}

/** The oldest of the newest days of the config's sources that are in a time. A lagging source counts from its own. */
export function oldestNewest({ sources }: Head, { bySource }: RunDates, since: string): string | undefined {
  const newest = sources.flatMap((source) => bySource.get(source)?.at(-1) ?? []);
  return newest.filter((date) => date >= since).toSorted()[0];
}
