import { nextDue } from '../config/schedule.ts';
import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import { lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { removeAll } from '../lake/remove-all.ts';
import type { FoundByResource } from '../run/dialects.ts';
import type { RunRecord } from '../run/run-record.ts';
import { CLOCKS_DIFFER_MS, toTheSecond } from '../time.ts';
import type { Planning } from './planning.ts';

const MINUTE_MS = 60_000;

/**
 * Refuses a run if a source's Dates show that the clock has changed since the last committed run. Something may confirm
 * the clock: a Date of another source, the schedule, or the person who named the run's time.
 * The refused run's files are removed, because its run id may be years ahead. Throws UsageError CLOCK_WRONG.
 * @see docs/decisions/schedules-and-alarms.md
 */
export async function refuseWrongClock(
  committed: Head | undefined,
  { lake, record, dialects }: Pick<Planning, 'lake' | 'record' | 'dialects'>,
): Promise<void> {
  // A run that is made again has its time already.
  if (record.againAt !== undefined || committed === undefined) return;
  const told = [...dialects].flatMap(([source, { locks, resources }]) => {
    const before = minutesOf(locks);
    return minutesOf(resources).map((ahead) => ({
      source,
      ahead,
      isKnown: before.length > 0,
      agrees: [0, ...before].some((usual) => isNear((ahead - usual) * MINUTE_MS)),
    }));
  });
  const against = told.find(({ isKnown }) => isKnown);
  if (against === undefined || told.some(({ agrees }) => agrees)) return;
  if (isExplained(record, committed)) return;
  await forget(lake, record);
  const clock = new Date(record.startedAt);
  const theirs = new Date(clock.getTime() + against.ahead * MINUTE_MS);
  throw new UsageError(
    `Run ${record.runId} is refused, and nothing was removed: this machine's clock says ${toTheSecond(clock)}, and the answers of ${against.source} say ${toTheSecond(theirs)}, which was not so in the run before (${committed.runId}). If this clock is wrong, put it right and start again. If it is right and the server's is wrong, say the time yourself: \`run --run-time ${toTheSecond(clock)}\`.`,
    'CLOCK_WRONG',
  );
}

/** Removes the run's files, but none of an earlier attempt. On AWS plan may not remove. */
async function forget(lake: Lake, { runId, isNew }: RunRecord): Promise<void> {
  if (isNew !== true) return;
  for (const prefix of [lakePrefix('raw', { runId }), lakePrefix('runHead', { runId })])
    await removeAll(lake, prefix).catch(() => {});
}

function minutesOf(found: FoundByResource): readonly number[] {
  return Object.values(found).flatMap(({ minutesAhead }) => minutesAhead ?? []);
}

/** The run's starter named the time, or the schedule was due after the last commit. */
function isExplained(record: RunRecord, committed: Head): boolean {
  const clock = Date.parse(record.startedAt);
  if (record.isByOwnClock !== true && isNear(clock - Date.parse(record.scheduledAt))) return true;
  const due = nextDue(record.config, new Date(committed.committedAt));
  return due !== undefined && isNear(clock - due.getTime());
}

function isNear(ms: number): boolean {
  return Math.abs(ms) <= CLOCKS_DIFFER_MS;
}
