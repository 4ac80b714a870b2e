import { nextDue } from '#lib/config/schedule.ts';
import { ExportError } from '#lib/errors.ts';
import type { Head } from '#lib/lake/head.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { exportDate } from '#lib/run-id.ts';
import { CLOCKS_DIFFER_MS } from '#lib/time.ts';
import type { FixtureAnswer } from '#simulator/fixture-server.ts';
import { openWorld, type World } from '../model/world.ts';
import { exportOnce } from '../support/runs.ts';
import type { Life, Server, Step } from './life.ts';

const PLAYERS = new Map(['1', '2', '3'].map((id) => [id, { Id: id }]));

/** What happened in a life: how each run ended, and what should not have been. */
export interface Lived {
  readonly ends: readonly End[];
  readonly alarms: readonly string[];
}
type End = 'committed' | 'believed' | 'refused' | 'rolled back' | 'other lake';

interface Moment {
  readonly step: Step;
  readonly index: number;
  /** The true time, and that of this machine's clock. */
  readonly truth: number;
  readonly clock: number;
}

/** Lives the life, and compares what each run does with what an undisturbed one would do. */
export async function live(life: Life): Promise<Lived> {
  const { servers, steps, begin, ...settings } = life;
  await using world = await openWorld(new Date(begin));
  const sources = servers.map(({ name }) => ({ name }));
  const config = world.config({ name: 'clocks', minCoverage: 0, sources, ...settings });
  for (const { name } of servers) world.answers.set(name, { players: PLAYERS, screens: new Map() });
  const ends: End[] = [];
  const alarms: string[] = [];
  let truth = begin;

  const run = async ({ step, index, truth: now, clock }: Moment): Promise<string | undefined> => {
    for (const server of servers) world.said.set(server.name, () => said(server, { index, truth: now }));
    world.now = new Date(clock);
    const event = step.by === 'named' ? {} : { isByOwnClock: true };
    try {
      await world.step(undefined, (services) => exportOnce({ ...services, config }, event));
      return undefined;
    } catch (error) {
      if (error instanceof ExportError) return error.code;
      throw error;
    }
  };

  /** Goes back to where the clock was right; false where no run was committed before. */
  const goBack = async (head: Head): Promise<boolean> => {
    let hasWay = false;
    await world.step(undefined, async (services) => {
      const { rollbacks } = await wayBack(head, { ...services, config });
      const [newest] = rollbacks;
      if (newest === undefined) return;
      hasWay = true;
      await rollback(newest.runId, { ...services, config });
    });
    return hasWay;
  };

  let isBelieved = false;
  for (const [index, step] of steps.entries()) {
    const before = await world.head();
    const after = truth + step.ahead;
    const due = step.by === 'schedule' ? nextDue(config, new Date(after)) : undefined;
    const clock = due === undefined ? after + step.gap : due.getTime() + 5000;
    truth = clock - step.ahead;
    const moment = { step, index, truth, clock };
    const alarm = (says: string) => alarms.push(`step ${index}: ${says}`);
    const kept = await keptIn(world);
    const code = await run(moment);
    if (code !== undefined && (await keptIn(world)).objects !== kept.objects)
      alarm(`${code} changed the lake`);
    if (step.ahead !== 0) {
      if (code === undefined) {
        const mayBe = before === undefined || isBelieved || isSilent(servers) || isDue(before, config, clock);
        if (!mayBe && clock !== Date.parse(before.committedAt)) alarm('a wrong clock was believed');
        isBelieved = true;
        for (const each of await lost(world, { life, kept, clock })) alarm(each);
        ends.push('believed');
      } else {
        if (code !== 'CLOCK_WRONG' && code !== 'RUN_COVERED') alarm(`a wrong clock was refused as ${code}`);
        ends.push('refused');
      }
      continue;
    }
    if (code === undefined) {
      for (const each of await lost(world, { life, kept, clock })) alarm(each);
      ends.push('committed');
      continue;
    }
    const isAhead = before !== undefined && Date.parse(before.committedAt) > clock;
    if (
      !isAhead ||
      code !== (Date.parse(before.committedAt) - clock > CLOCKS_DIFFER_MS ? 'CLOCK_WRONG' : 'RUN_COVERED')
    ) {
      alarm(`a right clock was refused: ${code}`);
      continue;
    }
    if (!(await goBack(before))) {
      if (kept.runs.some((runId) => runId <= idOf(clock))) alarm('there is no way back');
      ends.push('other lake');
      return { ends, alarms };
    }
    ends.push('rolled back');
    const again = await run(moment);
    if (again !== undefined) alarm(`the way back leads to ${again}`);
  }
  return { ends, alarms };
}

const isSilent = (servers: readonly Server[]) => servers.every(({ kind }) => kind === 'none');

/** The schedule speaks for the clock. */
function isDue(before: Head, config: Parameters<typeof nextDue>[0], clock: number): boolean {
  const due = nextDue(config, new Date(before.committedAt));
  return due !== undefined && Math.abs(due.getTime() - clock) <= CLOCKS_DIFFER_MS;
}

function said({ kind, off, from }: Server, at: { index: number; truth: number }): Partial<FixtureAnswer> {
  const headers = (ahead: number, more: Readonly<Record<string, string>> = {}) => ({
    headers: {
      'content-type': 'application/json',
      date: new Date(at.truth + ahead).toUTCString(),
      ...more,
    },
  });
  if (kind === 'none') return { hasNoDate: true };
  // What is in the cache grows old, and is fetched again.
  const age = at.index % 2 === 0 ? off : 0;
  if (kind === 'kept') return headers(-age, { age: String(age / 1000) });
  if (kind === 'local') return headers(berlin(at.truth) - at.truth);
  return headers(kind === 'breaks' && at.index < from ? 0 : off);
}

/** The local time of Berlin as if it were GMT. */
const berlin = (time: number) =>
  Date.parse(`${new Date(time).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }).replace(' ', 'T')}Z`);

const idOf = (time: number) =>
  new Date(time)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '');

interface Kept {
  /** The lake without its lease, which counts attempts. */
  readonly objects: string;
  /** Committed dates, and ids of runs that committed. */
  readonly days: readonly string[];
  readonly runs: readonly string[];
  /** Ids of runs whose answers are kept. */
  readonly raw: readonly string[];
}

async function keptIn(world: World): Promise<Kept> {
  const objects = [...(await world.objects())].filter(([key]) => key !== 'state/lease.json');
  const raw = [...(await world.keptRaw())].map((each) => each.split(' ')[0] ?? '');
  return {
    objects: JSON.stringify(objects),
    days: Object.keys((await world.head())?.tables['runs']?.dates ?? {}).sort(),
    runs: (await world.heads()).map(({ runId }) => runId),
    raw: [...new Set(raw)].sort(),
  };
}

/** What a committed run took away or reported as removed, though a run with an undisturbed clock would not. */
async function lost(
  world: World,
  { life, kept, clock }: { readonly life: Life; readonly kept: Kept; readonly clock: number },
): Promise<readonly string[]> {
  const { rawRetentionDays, dailyRetentionDays, timeZone, servers } = life;
  const now = await keptIn(world);
  const own = (await world.head())?.exportDate ?? '';
  const newest = (days: readonly string[], count: number) =>
    [...new Set([...days, own])].sort().reverse().slice(0, count);
  const found: string[] = [];
  const days = newest(kept.days, dailyRetentionDays ?? 1000);
  if (JSON.stringify([...now.days].reverse()) !== JSON.stringify(days))
    found.push(`days are ${now.days}, and not ${days}`);
  const dateOf = (runId: string) => exportDate(runId, timeZone);
  const rawDays = newest([...kept.days, ...kept.raw.map(dateOf)], rawRetentionDays);
  for (const runId of kept.raw)
    if (!now.raw.includes(runId) && rawDays.includes(dateOf(runId))) found.push(`raw of ${runId} is gone`);
  if (rawRetentionDays > 0 && !now.raw.includes(idOf(clock))) found.push('the run has no raw answers');
  for (const date of now.days) {
    const rows = await world.rows('players', date);
    if (rows.length !== servers.length * PLAYERS.size) found.push(`${date} shows ${rows.length} players`);
  }
  const removed = (await world.rows('changes', own)).filter(({ change }) => change === 'removed');
  if (removed.length > 0) found.push(`${removed.length} removed on ${own}`);
  return found;
}
