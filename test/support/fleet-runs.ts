import { beforeAll, test } from 'vitest';
import type { RunSummary } from '#lib/run/summary.ts';
import { type FixtureLab, fixtureLab, type Routes } from './fixture-lab.ts';

/** What a fleet answers on a day, and the settings of its listings. */
export interface FleetDay {
  readonly routes: Routes;
  readonly resources?: object;
  /** Other settings of the source. */
  readonly settings?: object;
}

/** What a run brought of a fleet. */
export interface FleetRun {
  readonly source: RunSummary['sources'][number] | undefined;
  /** The screens that the table has of it then, and those that the run reports as removed. */
  readonly screens: Counts;
  /** The same of players, their pending transfers and groups. */
  readonly players: Counts;
  readonly transfers: Counts;
  readonly groups: Counts;
}

interface Counts {
  readonly rows: number;
  readonly removed: number;
}

const TABLES = {
  screens: 'screens',
  players: 'players',
  transfers: 'pending_file_transfers',
  groups: 'app_groups',
} as const;

/** A day may follow from what the run before it brought. */
type NextDay = FleetDay | ((before: FleetRun | undefined) => FleetDay);

interface Fleet {
  readonly name: string;
  readonly days: readonly NextDay[];
  readonly runs: FleetRun[];
}

/** Runs that serve many fleets side by side, each a source of its own. They are made before the first test of a file. */
export function fleetRuns(runTimes: readonly string[], config: object) {
  const fleets: Fleet[] = [];
  const settingsOf = (today: ReadonlyMap<Fleet, FleetDay>) => {
    const own = fleets.map((fleet) => {
      const { resources = {}, settings } = today.get(fleet) ?? {};
      return [fleet.name, { resources, ...settings }] as const;
    });
    return { config, backup: null, fleets: Object.fromEntries(own) };
  };
  beforeAll(async () => {
    await using lab = await fixtureLab({}, settingsOf(new Map()));
    for (const [index, runTime] of runTimes.entries()) {
      const today = dayOf(fleets, index);
      const called = { sources: [...today.keys()].map(({ name }) => name) };
      const { sources } = await lab.run(runTime, routesOf(today), settingsOf(today), called);
      const countsOf = await countsOn(lab, runTime.slice(0, 10));
      for (const { name, runs } of today.keys())
        runs.push({
          source: sources.find((source) => source.name === name),
          ...{ screens: countsOf(name, TABLES.screens), players: countsOf(name, TABLES.players) },
          ...{ transfers: countsOf(name, TABLES.transfers), groups: countsOf(name, TABLES.groups) },
        });
    }
  });
  return {
    /** A test of one more fleet, which gets its runs, one a day. */
    test: (
      name: string,
      days: readonly NextDay[],
      check: (...runs: readonly (FleetRun | undefined)[]) => void,
    ) => {
      const runs: FleetRun[] = [];
      fleets.push({ name: `fleet-${fleets.length}`, days, runs });
      test(name, () => check(...runs));
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

/** How many rows each source has in each table, and how many left it on that day. */
async function countsOn({ rows }: FixtureLab, day: string) {
  const ofTable = (table: string) =>
    `select export_source as source, '${table}' as table_name, count(*) as n from ${table} group by 1`;
  const there = Object.values(TABLES).map(ofTable);
  const left = `
    select export_source as source, table_name, count(*) as n
    from changes
    where change = 'removed' and export_date = '${day}'
    group by all`;
  const [now, gone] = [await rows(there.join(' union all ')), await rows(left)];
  return (source: string, table: string): Counts => {
    const isOf = (row: Record<string, unknown>) => row['source'] === source && row['table_name'] === table;
    return { rows: Number(now.find(isOf)?.['n'] ?? 0), removed: Number(gone.find(isOf)?.['n'] ?? 0) };
  };
}
