import { createHash } from 'node:crypto';
import type { Head } from '../../lake/head.ts';
import type { Schema } from '../../schema/schema.ts';
import { daysBefore } from '../../time.ts';
import { readMacros } from '../../views/queries.ts';
import { readViews } from '../../views/view-file.ts';
import { DAY_FIGURES } from './day-figures.ts';
import type { RunDates } from './run-dates.ts';

/** After so many days, further runs hardly change what is known about a day. */
export const SETTLED_DAYS = 7;
/** A source's runs before a day: they say what was known when it began. */
const RUNS_BEFORE = 3;

export interface Reach {
  readonly since: string;
  readonly until: string;
}

/**
 * The first and the last date that the figures of days depend on: three runs before them, and a week after them. The
 * first run after a gap is part of it: its answer may date what happened in the gap. Only sources with a run on or
 * after these days count. The days are in order.
 */
export function reachOf({ bySource }: RunDates, days: readonly string[]): Reach {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const sources = [...bySource.values()].filter((dates) => dates.some((date) => date >= first));
  const starts = sources.map((dates) => {
    const before = dates.filter((date) => date < first);
    return before.at(-RUNS_BEFORE) ?? before[0] ?? first;
  });
  const week = daysBefore(last, -SETTLED_DAYS);
  const ends = sources.map((dates) => dates.find((date) => date > last) ?? week);
  return {
    since: [first, ...starts].toSorted()[0] ?? first,
    until: [week, ...ends].toSorted().at(-1) ?? week,
  };
}

interface StampOptions {
  readonly schema: Schema;
  /** The folder of the views. */
  readonly queries: URL;
  readonly runs: RunDates;
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
  const shared = hashOf([RUNS_BEFORE, SETTLED_DAYS, columns, views, groups, hours, timeZone, targets]);
  const ofDate = new Map(
    runs.all.map((date) => [
      date,
      hashOf(Object.entries(tables).map(([table, { dates }]) => [table, dates[date]])),
    ]),
  );
  return new Map(
    days.map((day) => {
      const { since, until } = reachOf(runs, [day]);
      const files = runs.all.filter((date) => date >= since && date <= until);
      return [day, hashOf([shared, files.map((date) => [date, ofDate.get(date)])])];
    }),
  );
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
