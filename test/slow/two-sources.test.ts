import { expect, it } from 'vitest';
import type { Lake } from '#lib/lake/lake.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { openWorld, type World } from '../model/world.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { exportOnce } from '../support/runs.ts';

const DAY_MS = 86_400_000;

type Screens = 'failed' | 'denied' | 'gone' | readonly string[];

/** What a source says on a day: its players by id, each with the ids of its screens. */
type Said = Readonly<Record<string, Screens>>;

/** `Of` is another for each parent, for what all parents answer alike is in doubt. */
const records = (ids: readonly string[], said: string, parent = '') =>
  new Map(ids.map((id) => [id, { Id: id, V: said, Of: `"${parent}"` }]));

/** A day of sources with the same ids of players and screens. Each record says its source and its day. */
async function day(
  world: World,
  said: Readonly<Record<string, Said>>,
  sources: readonly string[] = Object.keys(said),
  lakeOf = (lake: Lake) => lake,
  event: { readonly sources?: string[]; readonly acceptSourceRemoval?: string[] } = {},
): Promise<RunSummary['tables']> {
  world.now = new Date(world.now.getTime() + DAY_MS);
  for (const [name, players] of Object.entries(said)) {
    const text = `"${name} on ${world.now.getUTCDate()}"`;
    const screens = Object.entries(players).map(
      ([id, of]) => [id, typeof of === 'string' ? of : records(of, text, id)] as const,
    );
    world.answers.set(name, { players: records(Object.keys(players), text), screens: new Map(screens) });
  }
  const config = world.config({ name: 'two', minCoverage: 0, sources: sources.map((name) => ({ name })) });
  let summary: RunSummary | undefined;
  await world.step(undefined, async (services) => {
    summary = await exportOnce({ ...services, config, lake: lakeOf(services.lake) }, event);
  });
  return summary?.tables ?? {};
}

const open = () => openWorld(new Date('2026-03-01T03:00:00Z'));

const shown = async (world: World, table: string) =>
  (await world.rows(table)).map((row) => `${row['export_source']} ${row['record_key']} ${row['v']}`).sort();

const changes = async (world: World) =>
  (await world.rows('changes'))
    .filter(({ change }) => change !== 'changed')
    .map((row) =>
      [row['export_source'], row['table_name'], row['record_key'], row['change'], row['reason']].join(' '),
    )
    .sort();

it('what failed in one source carries nothing over in another that has the same ids', async () => {
  await using world = await open();
  const all = { 1: ['1', '2'], 2: ['1'], 3: ['1'] };
  await day(world, { a: all, b: all });
  await day(world, { a: { 1: 'denied', 2: ['1'], 3: ['1'] }, b: { 1: ['1'], 2: 'failed', 3: ['1'] } });
  expect(await shown(world, 'screens')).toEqual([
    'a 1/1 a on 2',
    'a 1/2 a on 2',
    'a 2/1 a on 3',
    'a 3/1 a on 3',
    'b 1/1 b on 3',
    'b 2/1 b on 2',
    'b 3/1 b on 3',
  ]);
  expect(await changes(world)).toEqual(['b screens 1/2 removed not listed']);
});

it('R12: a source that left the config is told before anything is removed; accepted, it leaves the newest tables', async () => {
  await using world = await open();
  const all = { 1: ['1'], 2: [] };
  await day(world, { a: all, b: all });
  const without = (...acceptSourceRemoval: string[]) =>
    day(world, { a: all, b: all }, ['a'], undefined, { acceptSourceRemoval });
  await expect(without()).rejects.toMatchObject({
    code: 'SOURCE_REMOVED',
    message: expect.stringContaining('with --accept-source-removal b.'),
  });
  await expect(without('a')).rejects.toThrow(
    '--accept-source-removal names "a", which is still a source of the config',
  );
  await expect(without('c')).rejects.toThrow('which is no source of the lake: it has a and b.');
  expect(await shown(world, 'players')).toEqual(['a 1 a on 2', 'a 2 a on 2', 'b 1 b on 2', 'b 2 b on 2']);
  world.now = new Date(world.now.getTime() - 3 * DAY_MS);
  await without('b');
  expect(await shown(world, 'players')).toEqual(['a 1 a on 3', 'a 2 a on 3']);
  const removed = 'removed source removed from the config';
  expect(await changes(world)).toEqual([
    `b players 1 ${removed}`,
    `b players 2 ${removed}`,
    `b screens 1/1 ${removed}`,
  ]);
});

it('what failed in one listing of a player carries nothing over in another', async () => {
  await using lab = await signageViewLab();
  const players = [{ Id: 1 }, { Id: 2 }];
  await lab.run('2026-03-01T03:00:00Z', {
    players,
    screens: { 1: [{ Id: 1 }, { Id: 2 }], 2: [{ Id: 1 }] },
    pending_file_transfers: { 1: [{ Id: 7 }], 2: [{ Id: 7 }, { Id: 8 }] },
  });
  await lab.run('2026-03-02T03:00:00Z', {
    players,
    screens: { 1: [{ Id: 1 }], 2: 'denied' },
    pending_file_transfers: { 1: 'denied', 2: [{ Id: 8 }] },
  });
  const keys = async (table: string) =>
    (await lab.rows(`select record_key from ${table} order by 1`)).map((row) => row['record_key']);
  expect(await keys('screens')).toEqual(['1/1', '2/1']);
  expect(await keys('pending_file_transfers')).toEqual(['1/7', '2/8']);
});
