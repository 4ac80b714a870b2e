import { expect, it } from 'vitest';
import type { Head } from '#lib/lake/head.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import { openWorld, type World } from '../model/world.ts';
import { exportOnce } from '../support/runs.ts';

const YEARS_MS = 3 * 365 * DAY_MS;
/** An hour at which no schedule of these tests is due. */
const BEGIN = Date.parse('2026-03-01T12:00:00Z');

const configOf = (world: World) =>
  world.config({ name: 'clocks', minCoverage: 0, sources: [{ name: 'a' }, { name: 'b' }] });

interface Moment {
  /** The true time, days after the first run. */
  readonly day: number;
  /** By how much this machine's clock is ahead of it, ms. */
  readonly ahead?: number;
  /** The time that somebody named. */
  readonly named?: boolean;
}

/** A run at a moment; servers are right unless a test says otherwise. */
async function run(world: World, { day, ahead = 0, named = false }: Moment): Promise<void> {
  world.now = new Date(BEGIN + day * DAY_MS + ahead);
  const config = configOf(world);
  const event = named ? {} : { isByOwnClock: true };
  await world.step(undefined, (services) => exportOnce({ ...services, config }, event));
}

/** A server whose clock is so far ahead of the true time. */
const serverAt = (world: World, name: string, day: number, ahead = 0) =>
  world.said.set(name, () => ({
    headers: {
      'content-type': 'application/json',
      date: new Date(BEGIN + day * DAY_MS + ahead).toUTCString(),
    },
  }));

async function open(days: number, behind: Readonly<Record<string, number>> = {}): Promise<World> {
  const world = await openWorld(new Date(BEGIN));
  for (const name of ['a', 'b'])
    world.answers.set(name, { players: new Map([['1', { Id: '1' }]]), screens: new Map() });
  for (let day = 0; day < days; day++) {
    for (const name of ['a', 'b']) serverAt(world, name, day, behind[name]);
    await run(world, { day });
  }
  for (const name of ['a', 'b']) serverAt(world, name, days, behind[name]);
  return world;
}

/** Every object but the lease, which counts the attempts. */
const objectsOf = async (world: World) =>
  [...(await world.objects())].filter(([key]) => key !== 'state/lease.json');
const daysOf = async (world: World) => Object.keys((await world.head())?.tables['players']?.dates ?? {});

it('a clock that went years ahead is refused, removes nothing, and the next right run goes on', async () => {
  await using world = await open(2);
  const before = await objectsOf(world);
  const refused = await run(world, { day: 2, ahead: YEARS_MS }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'CLOCK_WRONG',
    message: expect.stringMatching(/clock says 2029-03-02T12:00:00Z.*say 2026-03-03T12:00:00Z/),
  });
  expect(await objectsOf(world)).toEqual(before);
  await run(world, { day: 2 });
  expect(await daysOf(world)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
});

it('where all servers lose their time, the schedule speaks for the clock, and so does who names the time', async () => {
  await using world = await open(2);
  for (const name of ['a', 'b']) serverAt(world, name, 2, -YEARS_MS);
  await expect(run(world, { day: 2 })).rejects.toMatchObject({
    code: 'CLOCK_WRONG',
    message: expect.stringContaining('`run --run-time 2026-03-03T12:00:00Z`'),
  });
  await run(world, { day: 2, named: true });
  for (const name of ['a', 'b']) serverAt(world, name, 3, YEARS_MS);
  // The default schedule is due at 03:00.
  await run(world, { day: 3, ahead: -9 * HOUR_MS });
  expect(await daysOf(world)).toHaveLength(4);
});

it('an answer that a cache has kept for a day says so by its Age, and one without a Date says nothing', async () => {
  await using world = await open(1);
  const date = new Date(BEGIN + DAY_MS).toUTCString();
  for (const name of ['a', 'b'])
    world.said.set(name, () => ({
      headers: { date, age: '86400', 'content-type': 'application/json' },
    }));
  await run(world, { day: 2 });
  for (const name of ['a', 'b']) world.said.set(name, () => ({ hasNoDate: true }));
  await run(world, { day: 40 });
  expect(await daysOf(world)).toHaveLength(3);
});

it('a committed run that is still to come is refused with the way back, and a rollback is that way', async () => {
  await using world = await open(2);
  for (const day of [2, 3]) await run(world, { day, ahead: YEARS_MS, named: true });
  await expect(run(world, { day: 2 })).rejects.toMatchObject({
    code: 'CLOCK_WRONG',
    message: expect.stringMatching(/clock says 2026-03-03T12:00:00Z.*20290303T120000Z/),
  });
  const config = configOf(world);
  await world.step(undefined, async (services) => {
    const head = (await world.head()) as Head;
    const { rollbacks } = await wayBack(head, { ...services, config });
    expect(rollbacks.map(({ runId }) => runId)).toEqual(['20260302T120000Z', '20260301T120000Z']);
    await rollback('20260302T120000Z', { ...services, config });
  });
  await run(world, { day: 2 });
  expect(await daysOf(world)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
});
