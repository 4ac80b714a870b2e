import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { type Head, readHead } from '../lake/head.ts';
import { lakeKey } from '../lake/keys.ts';
import { releaseLease } from '../lake/lease.ts';
import { refuseOlderHead } from '../lake/newer-head.ts';
import { type ExecutionInput, startEvent } from '../run/payloads.ts';
import { hasRaw } from '../run/raw-of-run.ts';
import { type RunRecord, readRunRecordIfAny, writeRunRecord } from '../run/run-record.ts';
import { exportDate, runIdAt, runTime } from '../run-id.ts';
import type { Services } from '../runtime/services.ts';
import { CLOCKS_DIFFER_MS, DAY_MS, toTheSecond } from '../time.ts';
import { refuseChangedSource, refuseMovedDay, refuseRemovedSource } from './refuse-changed-source.ts';
import { type HolderServices, type Taken, withAttempt } from './take-attempt.ts';

/** A run ends one day after its start, done or not. */
export const DEADLINE_MS = DAY_MS;

export interface StartServices extends HolderServices {
  readonly config: Config;
}

/** The first input of the execution, or the head of a run that is already committed. */
export type Started =
  | { readonly kind: 'started'; readonly input: ExecutionInput }
  | { readonly kind: 'committed'; readonly head: Head };

/**
 * Takes the lease and writes what the run's stages read. A committed run is not started again. Throws
 * UsageError where a name is unknown, or a newer run is committed (CLOCK_WRONG for a future one). Also where
 * a source is missing (SOURCE_REMOVED) or is asked something else (RUN_CHANGED). Throws LEASE_HELD where
 * another run is under way, and HEAD_OLDER.
 */
export async function start(given: unknown, services: Services & StartServices): Promise<Started> {
  const event = startEvent.parse(given);
  const { lake, config } = services;
  const scheduledAt = event.scheduledTime === undefined ? services.now() : new Date(event.scheduledTime);
  const runId = runIdAt(scheduledAt);
  const selected = knownNames(config, event.sources ?? config.sources.map(({ name }) => name), '--source');
  const acceptShrink = knownNames(config, event.acceptShrink ?? [], '--accept-shrink');

  const committed = await readHead(lake, runId);
  if (committed !== undefined && runId <= committed.head.runId) await refuseOlderHead(lake, committed);
  if (committed?.head.runId === runId) return { kind: 'committed', head: committed.head };
  refuseOlder(runId, committed?.head, services.now());

  return await withAttempt(runId, services, async (taken): Promise<Started> => {
    // Another process may commit after we read the head and before we take the lease.
    const head = taken.base?.head;
    if (head?.runId === runId) {
      await releaseLease(lake, taken);
      return { kind: 'committed', head };
    }
    refuseOlder(runId, head, services.now());
    refuseRemovedSource(head, { config, accepted: event.acceptSourceRemoval ?? [] });
    const { isByOwnClock } = event;
    const record = await recordOf(taken, services, { selected, acceptShrink, isByOwnClock });
    await writeRunRecord(lake, record);
    return { kind: 'started', input: { runId, attempt: taken.attempt, sources: [...selected] } };
  });
}

async function recordOf(
  { runId, attempt, base }: Taken,
  { lake, config, now }: Services & StartServices,
  wanted: Pick<RunRecord, 'selected' | 'acceptShrink' | 'isByOwnClock'>,
): Promise<RunRecord> {
  const startedAt = now();
  const earlier = await readRunRecordIfAny(lake, runId);
  if (earlier !== undefined) {
    const asked = config.sources.filter(({ name }) => wanted.selected.includes(name));
    await refuseChangedSource(lake, { earlier, now: asked });
  }
  if (base !== undefined) await refuseMovedDay(base.head, { lake, runId, timeZone: config.timeZone });
  const isInTime = earlier !== undefined && new Date(earlier.deadline) > startedAt;
  return {
    runId,
    attempt,
    scheduledAt: runTime(runId).toISOString(),
    startedAt: earlier?.startedAt ?? startedAt.toISOString(),
    deadline: isInTime ? earlier.deadline : new Date(startedAt.getTime() + DEADLINE_MS).toISOString(),
    exportDate: notBefore(base?.head.exportDate, exportDate(runId, config.timeZone)),
    ...wanted,
    // Whoever starts a run again names its time as it was printed.
    isByOwnClock: earlier?.isByOwnClock ?? wanted.isByOwnClock,
    baseEtag: base?.etag ?? null,
    baseHead: base === undefined ? null : lakeKey('head'),
    isNew: earlier === undefined && !(await hasRaw(lake, { runId })),
    isRepair: false,
    leaseRunId: runId,
    config,
  };
}

/** A zone further west would turn the date back, and a later run would replace an earlier day. */
function notBefore(committed: string | undefined, date: string): string {
  return committed !== undefined && committed > date ? committed : date;
}

function knownNames(config: Config, names: readonly string[], option: string): readonly string[] {
  const all = config.sources.map(({ name }) => name);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown === undefined) return all.filter((name) => names.includes(name));
  throw new UsageError(
    `${option} ${JSON.stringify(unknown)} is not a source of the config; it has ${all.join(', ')}.`,
  );
}

function refuseOlder(runId: string, head: Head | undefined, now: Date): void {
  if (head === undefined || runId >= head.runId) return;
  // A run with a time ahead was committed before that time.
  const committed = Math.min(Date.parse(head.committedAt), runTime(head.runId).getTime());
  if (committed - now.getTime() > CLOCKS_DIFFER_MS)
    throw new UsageError(
      `Run ${runId} is refused: this machine's clock says ${toTheSecond(now)}, and the newest run ${head.runId} was committed at ${toTheSecond(head.committedAt)}, which is still to come. If this clock is behind, put it right and start again. If it is right, that run was made by a clock that was ahead: \`status\` names the way back.`,
      'CLOCK_WRONG',
    );
  throw new UsageError(
    `Run ${runId} is older than the committed run ${head.runId}: a newer run has covered it. Leave --run-time out for a new run. If it was left out, this machine's clock is behind, or the time of run ${head.runId} is in the future.`,
    'RUN_COVERED',
  );
}
