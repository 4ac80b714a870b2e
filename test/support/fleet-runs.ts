import { beforeAll } from 'vitest';
import type { RunSummary } from '#lib/run/summary.ts';
import { type FixtureLab, fixtureLab, type Routes } from './fixture-lab.ts';

/** What a fleet answers on a day, and the settings of its listings. */
export interface FleetDay {
  readonly routes: Routes;
  readonly resources?: object;
}

/** What a run brought of a fleet. */
export interface FleetRun {
  readonly source: RunSummary['sources'][number] | undefined;
  /** The screens that the table has of it then, and those that the run reports as removed. */
  readonly screens: { readonly rows: number; readonly removed: number };
}

/** A day may follow from what the run before it brought. */
type NextDay = FleetDay | ((before: FleetRun | undefined) => FleetDay);

export interface FleetRuns {
  /** One more fleet; gives its runs, one a day. */
  of(...days: readonly NextDay[]): () => readonly FleetRun[];
}

interface Fleet {
  readonly name: string;
  readonly days: readonly NextDay[];
  readonly runs: FleetRun[];
}

/** Runs that serve many fleets side by side, each a source of its own. They are made before the first test of a file. */
export function fleetRuns(runTimes: readonly string[], config: object): FleetRuns {
  const fleets: Fleet[] = [];
  const settingsOf = (today: ReadonlyMap<Fleet, FleetDay>) => ({
    config,
    backup: null,
    fleets: Object.fromEntries(
      fleets.map((fleet) => [fleet.name, { resources: today.get(fleet)?.resources ?? {} }]),
    ),
  });
  beforeAll(async () => {
    await using lab = await fixtureLab({}, settingsOf(new Map()));
    for (const [index, runTime] of runTimes.entries()) {
      const today = dayOf(fleets, index);
      const called = { sources: [...today.keys()].map(({ name }) => name) };
      const { sources } = await lab.run(runTime, routesOf(today), settingsOf(today), called);
      const rows = await countsOf(lab, 'screens');
      const removed = await countsOf(
        lab,
        `changes where table_name = 'screens' and change = 'removed' and export_date = '${runTime.slice(0, 10)}'`,
      );
      for (const { name, runs } of today.keys())
        runs.push({
          source: sources.find((source) => source.name === name),
          screens: { rows: rows.get(name) ?? 0, removed: removed.get(name) ?? 0 },
        });
    }
  });
  return {
    of: (...days) => {
      const runs: FleetRun[] = [];
      fleets.push({ name: `fleet-${fleets.length}`, days, runs });
      return () => runs;
    },
  };
}

/** The fleets that have such a day. */
function dayOf(fleets: readonly Fleet[], index: number): ReadonlyMap<Fleet, FleetDay> {
  return new Map(
    fleets.flatMap((fleet) => {
      const day = fleet.days[index];
      if (day === undefined) return [];
      return [[fleet, typeof day === 'function' ? day(fleet.runs.at(-1)) : day]];
    }),
  );
}

function routesOf(today: ReadonlyMap<Fleet, FleetDay>): Routes {
  const routes = [...today].flatMap(([{ name }, day]) =>
    Object.entries(day.routes).map(([path, route]) => [`/${name}${path}`, route] as const),
  );
  return Object.fromEntries(routes);
}

/** How many rows each source has there. */
async function countsOf({ rows }: FixtureLab, from: string): Promise<ReadonlyMap<unknown, number>> {
  const counted = await rows(`select export_source, count(*) as n from ${from} group by 1`);
  return new Map(counted.map((row) => [row['export_source'], Number(row['n'])]));
}
