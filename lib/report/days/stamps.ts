import { createHash } from 'node:crypto';
import type { Head } from '../../lake/head.ts';
import type { Schema } from '../../schema/schema.ts';
import { daysBefore } from '../../time.ts';
import { readMacros } from '../../views/queries.ts';
import { readViews } from '../../views/view-file.ts';
import { type CarriedRows, datesOfCarried } from './carried-rows.ts';
import { DAY_FIGURES } from './day-figures.ts';
import type { RunDates } from './run-dates.ts';

/** After so many days, further runs hardly change what is known about a day. */
export const SETTLED_DAYS = 7;
/** A source's runs before a day, and after it: they say what was known when it began and what is known of it since. */
const RUNS_AROUND = 3;

export type KnownRuns = RunDates & { readonly carried: readonly CarriedRows[] };

/**
 * The first and the last date that the figures of days depend on: three runs before them, and a week after them. Three
 * runs after a gap are part of it: an answer may date what happened in the gap. Only sources with a run on or after
 * these days count. The days are in order. `moreDates` are others with answers about players and screens.
 */
export function reachOf(runs: KnownRuns, days: readonly string[]) {
  const { bySource, carried } = runs;
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const sources = [...bySource.values()].filter((dates) => dates.some((date) => date >= first));
  const starts = sources.map((dates) => {
    const before = dates.filter((date) => date < first);
    return before.at(-RUNS_AROUND) ?? before[0] ?? first;
  });
  const week = daysBefore(last, -SETTLED_DAYS);
  const ends = sources.map((dates) => {
    const after = dates.filter((date) => date > last);
    return after[RUNS_AROUND - 1] ?? after.at(-1) ?? week;
  });
  const since = [first, ...starts].toSorted()[0] ?? first;
  const until = [week, ...ends].toSorted().at(-1) ?? week;
  return { since, until, moreDates: datesOfCarried(carried, runs, { since, until, last }) };
}

interface StampOptions {
  readonly schema: Schema;
  /** The folder of the views. */
  readonly queries: URL;
  readonly runs: KnownRuns;
  readonly days: readonly string[];
}

/** Hashes by day all that its figures are made from: files, columns, views, and what the config says of players. */
export async function stampsOf(
  { tables }: Head,
  { schema, queries, runs, days }: StampOptions,
): Promise<ReadonlyMap<string, string>> {
  const { groups, hours, timeZone, targets } = schema;
  const columns = Object.entries(schema.tables).map(([table, of]) => [
    table,
    of.columns.map(({ name, type, provisional, paths }) => [
      ...[name, type, provisional],
      paths.map(({ source, path, filled }) => [source, path, filled?.emptied]),
    ]),
  ]);
  const views = [(await readViews(queries)).map(({ sql }) => sql), await readMacros(queries), DAY_FIGURES];
  const shared = hashOf([RUNS_AROUND, SETTLED_DAYS, columns, views, groups, hours, timeZone, targets]);
  const ofDate = new Map(
    runs.all.map((date) => [
      date,
      hashOf(Object.entries(tables).map(([table, { dates }]) => [table, dates[date]])),
    ]),
  );
  return new Map(
    days.map((day) => {
      const { since, until, moreDates } = reachOf(runs, [day]);
      const files = runs.all.filter((date) => (date >= since && date <= until) || moreDates.has(date));
      return [day, hashOf([shared, files.map((date) => [date, ofDate.get(date)])])];
    }),
  );
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
