import { expect, it } from 'vitest';
import { lakeKey, parseKey } from '#lib/lake/keys.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { attemptName } from '#lib/run-id.ts';
import { HOUR_MS } from '#lib/time.ts';
import { openWorld, type World } from '../model/world.ts';
import { exportOnce } from '../support/runs.ts';

type Settings = Readonly<Record<string, unknown>>;
const SOURCES = ['a', 'b'];
const FIRST = '2026-03-02';
const YEARS = 3 * 365 * 24;

const configOf = (world: World, { players = {}, ...settings }: Settings = {}) => {
  const sources = SOURCES.map((name) => ({ name, resources: { players } }));
  return world.config({ name: 'kept', minCoverage: 0, ...settings, sources });
};

/** Both sources have the same ids; `of` is what their players say. */
const say = (world: World, ...of: readonly string[]) => {
  const players = new Map(of.map((said, index) => [`${index}`, { Id: `${index}`, V: said }]));
  for (const name of SOURCES) world.answers.set(name, { players, screens: new Map() });
};

async function open(...of: readonly string[]): Promise<World> {
  const world = await openWorld(new Date('2026-03-01T03:00:00Z'));
  say(world, ...of);
  return world;
}

/** A run a day later, or so many hours. */
async function runNextDay(world: World, settings: Settings = {}, hours = 24): Promise<string> {
  world.now = new Date(world.now.getTime() + hours * HOUR_MS);
  const config = configOf(world, settings);
  await world.step(undefined, (services) => exportOnce({ ...services, config }));
  return (await world.head())?.runId ?? '';
}

/** Days of players of which the attempt that committed last wrote files. */
async function writtenDays(world: World): Promise<readonly string[]> {
  const head = await world.head();
  const own = head === undefined ? '' : attemptName(head);
  const files = (await world.tableFiles()).filter(({ table, run }) => table === 'players' && run === own);
  return files.map(({ date }) => date).sort();
}

const daysOf = async (world: World) =>
  Object.keys((await world.head())?.tables['players']?.dates ?? {}).sort();
const keptRuns = async (world: World) =>
  [...new Set([...(await world.keptRaw())].map((each) => each.slice(0, 8)))].sort();

it('the daily tables have as many days as dailyRetentionDays says, that of the run among them', async () => {
  await using world = await open('1');
  for (let day = 0; day < 4; day++) await runNextDay(world);
  expect(await daysOf(world)).toHaveLength(4);
  await runNextDay(world, { dailyRetentionDays: 3 });
  expect(await daysOf(world)).toEqual(['2026-03-04', '2026-03-05', '2026-03-06']);
  await runNextDay(world, { dailyRetentionDays: 1 });
  expect(await daysOf(world)).toEqual(['2026-03-07']);
});

it('raw answers are kept for rawRetentionDays to the minute, and the schemas of their runs for longer', async () => {
  await using world = await open('1');
  const runs: string[] = [];
  for (let day = 0; day < 4; day++) runs.push(await runNextDay(world, { rawRetentionDays: 2 }));
  // On the 5th, what is two days old is that of the 3rd; it is not older.
  expect(await keptRuns(world)).toEqual(['20260303', '20260304', '20260305']);
  await runNextDay(world, { rawRetentionDays: 2 }, 24 + 1 / 60);
  expect(await keptRuns(world)).toEqual(['20260305', '20260306']);
  // Whoever rolls back to a run reads its schema.
  const [runId = ''] = runs;
  expect([...(await world.objects()).keys()]).toContain(lakeKey('schema', { runId, attempt: 1 }));
  const config = configOf(world);
  await world.step(undefined, (services) => rollback(runId, { ...services, config }));
  expect(await world.rows('players')).toHaveLength(2);
});

it('a clock that is years ahead takes no more days and raw answers than the next run does', async () => {
  await using world = await open('1');
  const kept = { dailyRetentionDays: 3, rawRetentionDays: 2 };
  for (let day = 0; day < 3; day++) await runNextDay(world, kept);
  for (const [ahead, hours] of [
    ['2029-03-03', YEARS],
    ['2029-03-04', 24],
  ] as const) {
    const before = await daysOf(world);
    await runNextDay(world, kept, hours);
    expect(await daysOf(world)).toEqual([...before.slice(1), ahead]);
    expect(await keptRuns(world)).toEqual([...before.slice(2), ahead].map((day) => day.replaceAll('-', '')));
  }
});

it('where the daily tables keep fewer days than raw, the days of raw are counted', async () => {
  await using world = await open('1');
  const kept = { dailyRetentionDays: 1, rawRetentionDays: 3 };
  for (const hours of [24, 24, 24, YEARS]) await runNextDay(world, kept, hours);
  expect(await daysOf(world)).toEqual(['2029-03-03']);
  expect(await keptRuns(world)).toEqual(['20260303', '20260304', '20290303']);
});

it('a run writes no other day again unless something is read in another way, and then each once', async () => {
  await using world = await open('1', '2');
  for (let day = 0; day < 2; day++) await runNextDay(world);
  expect(await writtenDays(world)).toEqual(['2026-03-03']);
  say(world, '1', '2.5');
  await runNextDay(world);
  expect(await writtenDays(world)).toEqual([FIRST, '2026-03-03', '2026-03-04']);
  const ofToday = [...(await world.objects()).keys()].filter((key) => {
    const file = parseKey(key);
    return file?.kind === 'table' && file.table === 'players' && file.exportDate === '2026-03-04';
  });
  expect(ofToday).toHaveLength(1);
  for (const date of [FIRST, '2026-03-04']) expect(await world.rows('players', date)).toHaveLength(4);
});

it('a second run of a day that reads the day in another way leaves its own rows there, in one file', async () => {
  await using world = await open('1', '2');
  await runNextDay(world);
  say(world, '1', '2.5', '3');
  await runNextDay(world, {}, 2);
  expect(await writtenDays(world)).toEqual([FIRST]);
  const shown = (await world.rows('players', FIRST)).map((row) => `${row['export_source']} ${row['v']}`);
  expect(shown.sort()).toEqual(['a 1', 'a 2.5', 'a 3', 'b 1', 'b 2.5', 'b 3']);
});

it('a later run of the day leaves no reject of a column that it drops, though it has none to write itself', async () => {
  await using world = await open('1', '2', '3');
  const rejected = async () =>
    (await world.rows('rejects', '2026-03-03')).map((row) => `${row['export_source']} ${row['raw_value']}`);
  await runNextDay(world);
  say(world, '1', '"no number"', '3');
  await runNextDay(world);
  say(world, '1', '2', '3');
  await runNextDay(world, {}, 2);
  // What the earlier run of the day found stays.
  expect((await rejected()).sort()).toEqual(['a no number', 'b no number']);
  await runNextDay(world, { players: { drop: ['V'] } }, 2);
  expect(await rejected()).toEqual([]);
});
