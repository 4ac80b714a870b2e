import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFixtureServer } from '#simulator/fixture-server.ts';
import { clockedLake } from '../queries/clocked-lake.ts';
import { askedListing } from '../support/asked-listing.ts';
import { labConfig } from '../support/export-lab.ts';
import { licenseRecords, transferRecords } from './goods.ts';
import { type Clocks, clocksOf } from './local-time.ts';
import { playerRecords, screenRecords } from './told.ts';
import type { World, WorldRun } from './world.ts';

/** When the places of the worlds are open: by day, over midnight in another zone, and nowhere else. */
export const HOURS = [
  { group: 'Bern', weekday: 'Mon-Sun', from: 480, to: 1200, zone: 'Europe/Berlin' },
  { group: 'Nancy', weekday: 'Mon-Fri', from: 1320, to: 1620, zone: 'America/New_York' },
] as const;

type Row = Readonly<Record<string, unknown>>;

export interface Figures {
  readonly clocks: Clocks;
  /** Of each view the rows of all worlds. */
  readonly views: Readonly<
    Record<
      'states' | 'outages' | 'days' | 'inHours' | 'availability' | 'trend' | 'groups' | 'stuck' | 'licenses',
      readonly Row[]
    >
  >;
}

/** The name of a world's source. */
export function sourceOf({ seed }: World): string {
  return `w${seed}`;
}

/** Exports worlds with runs at the same times, a source each. Then reads what the views say of them. */
export async function figuresOf(worlds: readonly World[], timeZone: string): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-truth-'));
  const hours = join(folder, 'hours.csv');
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const lines = HOURS.map((each) =>
    [each.group, each.weekday, clock(each.from), clock(each.to), each.zone].join(),
  );
  await writeFile(hours, ['group,weekday,from,to,zone', ...lines, ''].join('\n'));
  const clocks = clocksOf(timeZone);
  let time = 0;
  const answer = (path: string) => {
    const asked = path.includes('?') ? undefined : askedListing(config, path);
    const world = worlds.find((each) => sourceOf(each) === asked?.source);
    const run = world?.runs.find(({ at }) => at === time);
    if (asked === undefined || world === undefined || run === undefined) return undefined;
    const found =
      run.how === 'asked' ? bodyOf(asked, { world, run, localDay: clocks.dayOf(time) }) : 'denied';
    return found === 'denied'
      ? { status: 403, body: '{"Message":"denied"}' }
      : { body: JSON.stringify(found) };
  };
  const server = await startFixtureServer({
    routes: new Proxy({}, { get: (_, path: string) => answer(path) }),
  });
  const config = labConfig(server.url, {
    backup: null,
    fleets: Object.fromEntries(worlds.map((world) => [sourceOf(world), {}])),
    config: { groups: ['City'], hours, timeZone, minCoverage: 0.01, maxShrink: 1 },
  });
  const lake = await clockedLake(config, { read: async () => ({ apiKey: 'fixture-key' }) });
  try {
    for (const { at } of worlds[0]?.runs ?? []) {
      time = at;
      const asked = worlds.filter(({ runs }) => runs.find((run) => run.at === at)?.how !== 'left out');
      if (asked.length > 0) await lake.run(new Date(at).toISOString(), asked.map(sourceOf));
    }
    return {
      clocks,
      views: {
        states: await lake.rows('select * from device_states'),
        outages: await lake.rows('select * from outages'),
        days: await lake.rows('select * from device_days'),
        inHours: await lake.rows('select * from off_in_hours'),
        availability: await lake.rows('select * from availability'),
        trend: await lake.rows('select * from daily_trend'),
        groups: await lake.rows('select * from group_trend'),
        stuck: await lake.rows('select * from stuck_transfers'),
        licenses: await lake.rows('select * from license_utilisation'),
      },
    };
  } finally {
    await server.close();
    await lake[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

function bodyOf(
  { name, parentId }: { readonly name: string; readonly parentId: string | undefined },
  { world, run, localDay }: { readonly world: World; readonly run: WorldRun; readonly localDay: string },
): readonly object[] | 'denied' {
  if (name === 'players') return playerRecords(world, run, localDay);
  const player = world.players.find(({ id }) => String(id) === parentId);
  if (name === 'licenses') return licenseRecords(world, run.at);
  if (player === undefined) return [];
  if (name === 'pending_file_transfers') return transferRecords(world, player.id, run.at, localDay);
  if (name !== 'screens') return [];
  return run.denied.includes(player.id) ? 'denied' : screenRecords(player, run);
}
