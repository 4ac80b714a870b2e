import { afterEach, expect, it, vi } from 'vitest';
import { addRollback } from '#cli/rollback.ts';
import { addRun } from '#cli/run.ts';
import { addStatus } from '#cli/status.ts';
import { DAY_MS, HOUR_MS, toTheSecond } from '#lib/time.ts';
import { placesOf, saidBy } from '../cli/support.ts';
import { openWorld } from '../model/world.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { exportOnce } from '../support/runs.ts';
import { someOf } from '../support/some-of.ts';

const BEGIN = Date.parse('2026-11-20T03:00:00Z');
const PLAYERS = new Map(['1', '2', '3'].map((id) => [id, { Id: id }]));

/** A run: the hours that this machine's clock is ahead, and those of each server's Date; no Date where it is null. */
interface Step {
  readonly ahead?: number;
  readonly dates: readonly (number | null)[];
  /** Hours for which a cache keeps the answers, and says so by their Age. */
  readonly age?: number;
  /** Who says that it is time: the schedule, a person who starts it, or one who names the time. */
  readonly by?: 'schedule' | 'named';
  readonly ends?: 'CLOCK_WRONG' | 'RUN_COVERED';
}
const YEAR = 8760;
const codeOf = (error: { readonly code?: string }) => error.code;
const [right, wrong, untold] = [{ dates: [0] }, { dates: [45 * 24] }, { dates: [null] }] as const;
const refused = (ahead: number, dates: readonly (number | null)[] = [0]) =>
  ({ ahead, dates, ends: 'CLOCK_WRONG' }) as const;

it.each<[string, readonly Step[]]>([
  ['a server is always as wrong', [wrong, wrong]],
  ['one server of two goes wrong', [{ dates: [0, 0] }, { dates: [0, 9] }, { dates: [3, 9] }]],
  ['all servers go wrong, and the schedule is due', [right, { ...wrong, by: 'schedule' }]],
  ['all servers go wrong, and a person names the time', [right, { ...wrong, by: 'named' }]],
  ['a server writes its local time, and another one in summer', [{ dates: [1] }, { dates: [2] }]],
  ['a cache keeps the answers', [right, { dates: [-70], age: 70 }]],
  ['the clock is an hour off', [right, { ahead: 1, dates: [0] }]],
  ['the clock jumps a year ahead', [right, refused(YEAR), right]],
  ['the clock jumps half a zone ahead', [{ dates: [7] }, refused(5.5, [7]), { dates: [7] }]],
  ['the clock falls back by three years', [right, refused(-3 * YEAR), right]],
  ['the clock falls back by 24.5 hours', [right, { ahead: -24.5, dates: [0], ends: 'RUN_COVERED' }, right]],
  ['the first clock is wrong, and a rollback has no place to go', [{ ahead: YEAR, dates: [0] }, refused(0)]],
  ['it jumps, and no answer has a Date', [untold, { ...untold, ahead: YEAR }, refused(0, [null])]],
])(
  'a right clock is believed, a wrong one refused, and neither takes anything away: %s',
  async (_, steps) => {
    await using world = await openWorld(new Date(BEGIN));
    const sources = (steps[0]?.dates ?? []).map((_, at) => ({ name: `s${at}` }));
    for (const { name } of sources) world.answers.set(name, { players: PLAYERS, screens: new Map() });
    const config = world.config({ name: 'clocks', minCoverage: 0, rawRetentionDays: 1, sources });
    const kept = async () => [...(await world.objects())].filter(([key]) => key !== 'state/lease.json');
    const committed: number[] = [];
    const went: (readonly [string | undefined, boolean])[] = [];
    for (const [day, { ahead = 0, dates, age = 0, by }] of steps.entries()) {
      const truth = BEGIN + day * DAY_MS + (by === 'schedule' ? 5000 : 9 * HOUR_MS);
      for (const [at, off] of dates.entries()) {
        const date = new Date(truth + (off ?? 0) * HOUR_MS).toUTCString();
        const headers = { 'content-type': 'application/json', age: String(age * 3600), date };
        world.said.set(`s${at}`, () => (off === null ? { hasNoDate: true } : { headers }));
      }
      world.now = new Date(truth + ahead * HOUR_MS);
      const before = await kept();
      const event = by === 'named' ? {} : { isByOwnClock: true };
      const step = world.step(undefined, (services) => exportOnce({ ...services, config }, event));
      const code = await step.then(() => undefined, codeOf);
      if (code === undefined) committed.push(world.now.getTime());
      const isAsBefore = JSON.stringify(await kept()) === JSON.stringify(before);
      went.push([code, isAsBefore]);
    }
    expect(went).toEqual(steps.map(({ ends }) => [ends, ends !== undefined]));
    const days = committed.map((time) => new Date(time).toISOString().slice(0, 10)).sort();
    expect(Object.keys((await world.head())?.tables['runs']?.dates ?? {}).sort()).toEqual(days);
    const count = sources.length * PLAYERS.size;
    for (const date of someOf(days)) expect(await world.rows('players', date)).toHaveLength(count);
    const changes = (await Promise.all(days.map((date) => world.rows('changes', date)))).flat();
    expect(changes.filter(({ change }) => change === 'removed')).toEqual([]);
  },
);

afterEach(() => vi.useRealTimers());

/** The clock of this process alone: Node's server writes its Date by that of the machine. */
function setClock(time: number): Date {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  return new Date();
}

it('run compares the clock of the machine with the answers, unless its time is named; status and rollback lead back', async () => {
  await using lab = await exportLab({ players: 2 }, SIGNAGE_ALONE);
  const at = await placesOf(lab);
  const run = async (...more: readonly string[]) =>
    JSON.parse(await saidBy(addRun, 'run', '--json', ...at, ...more)) as { runId: string };

  const begun = Date.now();
  const { runId } = await run();
  const ahead = setClock(begun + 1000 * DAY_MS);
  await expect(run()).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
  await run('--run-time', toTheSecond(ahead));

  setClock(begun + 60_000);
  await expect(run()).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
  const status = await saidBy(addStatus, 'status', ...at);
  expect(status).toMatch(/^The newest run, \S+, is still to come by this machine's clock/);
  expect(status).toMatch(new RegExp(`^ {2}\\S.* rollback ${runId} `, 'm'));
  await saidBy(addRollback, 'rollback', runId, '--yes', '--json', ...at);
  expect(await run()).toMatchObject({ status: 'complete' });
});
