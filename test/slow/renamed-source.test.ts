import { expect, it } from 'vitest';
import { LOCAL_HOLDER } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { listKeys } from '#lib/lake/keys.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { carryHistoryOver } from '#lib/repair/rename/rename-source.ts';
import { openWorld, type World } from '../model/world.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { exportOnce } from '../support/runs.ts';

const DAY_MS = 86_400_000;
const IDS = ['1', '2', '3'];

interface Named {
  readonly name: string;
  readonly was?: string;
}

const open = () => openWorld(new Date('2026-03-01T03:00:00Z'));

/** A day on which each source has the same three players with a screen, and says the day. */
async function day(world: World, sources: readonly Named[]) {
  world.now = new Date(world.now.getTime() + DAY_MS);
  for (const { name } of sources) {
    const record = (id: string) => ({ Id: id, V: `"on ${world.now.getUTCDate()}"`, Of: `"${id}"` });
    const screens = IDS.map((id) => [id, new Map([['1', record(id)]])] as const);
    const players = new Map(IDS.map((id) => [id, record(id)]));
    world.answers.set(name, { players, screens: new Map(screens) });
  }
  const config = world.config({ name: 'renamed', sources });
  let added = 0;
  await world.step(undefined, async (services) => {
    const event = { scheduledTime: world.now.toISOString() };
    const { tables } = await runLocally(event, { ...services, config });
    added = Object.values(tables).reduce((sum, table) => sum + table.added + table.removed, 0);
  });
  return { config, added };
}

/** Which source has how many rows of how many runs in each table. */
async function sourcesIn(world: World, table: string) {
  const rows = await world.rows(table);
  const names = Map.groupBy(rows, (row) => String(row['export_source']));
  return Object.fromEntries([...names].map(([name, own]) => [name, own.length]).toSorted());
}

async function keysOf(world: World, source: string) {
  return [...(await world.objects()).keys()].filter((key) => key.includes(`/${source}/`));
}

const TABLES = ['players', 'screens', 'outcomes', 'changes', 'runs', 'schema_columns'];

it('R12: a source with a new name and its old one in was keeps its history, and nothing is removed or added', async () => {
  await using world = await open();
  for (let count = 0; count < 2; count += 1) await day(world, [{ name: 'a' }, { name: 'b' }]);
  const before = await Promise.all(TABLES.map((table) => sourcesIn(world, table)));
  const { config, added } = await day(world, [{ name: 'c', was: 'a' }, { name: 'b' }]);
  expect(added).toBe(0);
  for (const [at, table] of TABLES.entries()) {
    const now = await sourcesIn(world, table);
    expect([table, now['a']]).toEqual([table, undefined]);
    expect(now['c']).toBeGreaterThanOrEqual(before[at]?.['a'] ?? Number.NaN);
    expect(now['c']).toBe(now['b']);
  }
  expect(await keysOf(world, 'a')).toEqual([]);
  const runs = new Set<string>();
  for await (const { runId } of listKeys(world.lake, 'raw', {})) runs.add(runId);
  expect(runs.size).toBe(3);
  // All days come from raw again, under the new name.
  await world.step(undefined, async (services) => {
    await rebuild('2026-03-02', { ...services, ...LOCAL_HOLDER, config });
  });
  for (const table of TABLES) expect(Object.keys(await sourcesIn(world, table))).toEqual(['b', 'c']);
  expect((await world.rows('changes')).filter(({ change }) => change === 'removed')).toEqual([]);
  // Once more with the setting still there: there is nothing left to be renamed.
  expect((await day(world, [{ name: 'c', was: 'a' }, { name: 'b' }])).added).toBe(0);
});

it('a renaming that is cut off behind its commit is finished by the next start', async () => {
  await using world = await open();
  await day(world, [{ name: 'a' }]);
  const config = world.config({ name: 'renamed', sources: [{ name: 'c', was: 'a' }] });
  await world.step(undefined, async (services) => {
    const value = async (keys: readonly string[]) => {
      if (keys.some((key) => key.startsWith('raw/'))) throw new Error('cut off');
      return services.lake.remove(keys);
    };
    const lake = Object.create(services.lake, { remove: { value } });
    await expect(carryHistoryOver({ ...services, ...LOCAL_HOLDER, lake, config })).rejects.toThrow('cut off');
  });
  expect((await day(world, [{ name: 'c', was: 'a' }])).added).toBe(0);
  expect(await keysOf(world, 'a')).toEqual([]);
  expect(await sourcesIn(world, 'players')).toEqual({ c: 3 });
});

it('a source whose records stand next to those of its old name is refused', async () => {
  await using world = await open();
  await day(world, [{ name: 'a' }, { name: 'b' }]);
  await expect(day(world, [{ name: 'b', was: 'a' }])).rejects.toMatchObject({ code: 'NAME_TAKEN' });
});

/** What a source says on a day: its players by id, each with the ids of its screens. */
type Said = Readonly<Record<string, readonly string[]>>;

/** A day of sources with the same ids of players and screens, of which some are in the config. */
async function said(
  world: World,
  of: Readonly<Record<string, Said>>,
  { sources = Object.keys(of), ...event }: { sources?: string[]; acceptSourceRemoval?: string[] } = {},
) {
  world.now = new Date(world.now.getTime() + DAY_MS);
  for (const [name, players] of Object.entries(of)) {
    const V = `"${name} on ${world.now.getUTCDate()}"`;
    // `Of` is another for each parent, for what all parents answer alike is in doubt.
    const records = (ids: readonly string[], parent = '') =>
      new Map(ids.map((id) => [id, { Id: id, V, Of: `"${parent}"` }]));
    const screens = new Map(Object.entries(players).map(([id, own]) => [id, records(own, id)]));
    world.answers.set(name, { players: records(Object.keys(players)), screens });
  }
  const config = world.config({ name: 'two', minCoverage: 0, sources: sources.map((name) => ({ name })) });
  await world.step(undefined, (services) => exportOnce({ ...services, config }, event));
}

it('what failed in one listing of a player carries nothing over in another', async () => {
  await using lab = await signageViewLab();
  const players = [{ Id: 1 }, { Id: 2 }];
  await lab.run('2026-03-01T03:00:00Z', {
    players,
    screens: { 1: [{ Id: 1 }, { Id: 2 }], 2: [{ Id: 1 }] },
    pending_file_transfers: { 1: [{ Id: 7 }], 2: [{ Id: 7 }, { Id: 8 }] },
  });
  const queues = { 1: 'denied', 2: [{ Id: 8 }] } as const;
  const left = { screens: { 1: [{ Id: 1 }], 2: 'denied' } as const, pending_file_transfers: queues };
  await lab.run('2026-03-02T03:00:00Z', { players, ...left });
  const keys = (table: string) => lab.flat(`select record_key from ${table} order by 1`);
  expect(await keys('screens')).toEqual(['1/1', '2/1']);
  expect(await keys('pending_file_transfers')).toEqual(['1/7', '2/8']);
});

it('R12: a source that left the config is told before anything is removed; accepted, it leaves the newest tables', async () => {
  await using world = await open();
  const all = { 1: ['1'], 2: [] };
  await said(world, { a: all, b: all });
  const without = (...acceptSourceRemoval: string[]) =>
    said(world, { a: all, b: all }, { sources: ['a'], acceptSourceRemoval });
  const message = expect.stringContaining('with --accept-source-removal b.');
  await expect(without()).rejects.toMatchObject({ code: 'SOURCE_REMOVED', message });
  await expect(without('a')).rejects.toThrow(
    '--accept-source-removal names "a", which is still a source of the config',
  );
  await expect(without('c')).rejects.toThrow('which is no source of the lake: it has a and b.');
  const players = async () =>
    (await world.rows('players')).map((row) => `${row['record_key']} ${row['v']}`).sort();
  expect(await players()).toEqual(['1 a on 2', '1 b on 2', '2 a on 2', '2 b on 2']);
  world.now = new Date(world.now.getTime() - 3 * DAY_MS);
  await without('b');
  expect(await players()).toEqual(['1 a on 3', '2 a on 3']);
  const removed = (await world.rows('changes')).filter(({ change }) => change === 'removed');
  const gone = removed.map(({ record_key, reason }) => `${record_key} ${reason}`).sort();
  expect(gone).toEqual(['1', '1/1', '2'].map((key) => `${key} source removed from the config`));
});
