import { createHash } from 'node:crypto';
import type { Head } from '../../lake/head.ts';
import type { Schema } from '../../schema/schema.ts';
import { readViews } from '../../views/view-file.ts';
import { daysBefore } from './day-figures.ts';

/** After so many days, no further run changes what is known about a day. */
export const SETTLED_DAYS = 7;
/** Runs before a day that say what was known when it began. */
const RUNS_BEFORE = 3;

/** The dates of runs since a date, the oldest first. */
export function runDates({ tables }: Head, since: string): readonly string[] {
  return Object.keys(tables['runs']?.dates ?? {})
    .filter((date) => date >= since)
    .toSorted();
}

/** The first and the last date that the figures of days depend on. */
export function reachOf(
  dates: readonly string[],
  days: readonly string[],
): { readonly since: string; readonly until: string } {
  const first = days[0] ?? '';
  const before = dates.filter((date) => date < first);
  return {
    since: before.at(-RUNS_BEFORE) ?? before[0] ?? first,
    until: daysBefore(days.at(-1) ?? first, -SETTLED_DAYS),
  };
}

interface StampOptions {
  readonly schema: Schema;
  /** The folder of the views. */
  readonly queries: URL;
  readonly dates: readonly string[];
}

/** By date: a hash of all that its figures are made from: files, columns, views and what the config says of players. */
export async function stampsOf(
  { tables }: Head,
  { schema, queries, dates }: StampOptions,
): Promise<ReadonlyMap<string, string>> {
  const { groups, hours, timeZone, targets } = schema;
  const columns = Object.entries(schema.tables).map(([table, of]) => [
    table,
    of.columns.map(({ name, type, provisional }) => [name, type, provisional]),
  ]);
  const views = (await readViews(queries)).map(({ sql }) => sql);
  const shared = hashOf([columns, views, groups, hours, timeZone, targets]);
  const ofDate = new Map(
    dates.map((date) => [
      date,
      hashOf(Object.entries(tables).map(([table, { dates: of }]) => [table, of[date]])),
    ]),
  );
  return new Map(
    dates.map((date) => {
      const { since, until } = reachOf(dates, [date]);
      const files = dates
        .filter((each) => each >= since && each <= until)
        .map((each) => [each, ofDate.get(each)]);
      return [date, hashOf([shared, files])];
    }),
  );
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
