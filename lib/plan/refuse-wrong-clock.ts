import { nextDue } from '../config/schedule.ts';
import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import { lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { removeAll } from '../lake/remove-all.ts';
import type { Dialects, FoundByResource } from '../run/dialects.ts';
import type { RunRecord } from '../run/run-record.ts';
import { parseAttemptName } from '../run-id.ts';
import { CLOCKS_DIFFER_MS, toTheSecond } from '../time.ts';

const MINUTE_MS = 60_000;

export interface RefuseWrongClockOptions {
  readonly lake: Lake;
  readonly record: RunRecord;
  readonly committed: Head | undefined;
  /** By source. */
  readonly dialects: ReadonlyMap<string, Dialects>;
}

/**
 * A run is refused where the Dates of a source say that the clock has changed since the last committed run, and nobody
 * speaks for the clock: no Date of another source, neither the schedule nor whoever named the run's time. What it got
 * is removed, for its run id may lie in years to come. Throws UsageError CLOCK_WRONG.
 * @see docs/decisions/schedules-and-alarms.md
 */
export async function refuseWrongClock(options: RefuseWrongClockOptions): Promise<void> {
  const { lake, record, committed, dialects } = options;
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

/** Removes what the run got. An attempt before it may have files that its record must name; and on AWS plan may remove nothing. */
async function forget(lake: Lake, { runId, abandoned }: RunRecord): Promise<void> {
  if (abandoned.some(({ run }) => parseAttemptName(run).runId === runId)) return;
  for (const prefix of [lakePrefix('raw', { runId }), lakePrefix('runHead', { runId })])
    await removeAll(lake, prefix).catch(() => {});
}

function minutesOf(found: FoundByResource): readonly number[] {
  return Object.values(found).flatMap(({ minutesAhead }) => minutesAhead ?? []);
}

/** The run began when somebody else said that it was time, or when the schedule was due after the last commit. */
function isExplained(record: RunRecord, committed: Head): boolean {
  const clock = Date.parse(record.startedAt);
  if (record.isByOwnClock !== true && isNear(clock - Date.parse(record.scheduledAt))) return true;
  const due = nextDue(record.config, new Date(committed.committedAt));
  return due !== undefined && isNear(clock - due.getTime());
}

function isNear(ms: number): boolean {
  return Math.abs(ms) <= CLOCKS_DIFFER_MS;
}
