import { readHead, type StoredHead } from '../lake/head.ts';
import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import { listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { type Holder, type Lease, readLease, releaseLease, takeLease } from '../lake/lease.ts';
import { markLake } from '../lake/marker.ts';
import { refuseOlderHead } from '../lake/newer-head.ts';
import { type Abandoned, type RunRecord, readRunRecordIfAny } from '../run/run-record.ts';
import { type Attempt, attemptName } from '../run-id.ts';
import type { Services } from '../runtime/services.ts';
import { sideBySide } from '../side-by-side.ts';

/** How long the lease holds until the first stage renews it. */
const FIRST_LEASE_MS = 20 * 60_000;

export interface HolderServices {
  /** Who holds the lease during this attempt. */
  readonly holder: Holder;
  readonly holderHasEnded: (holder: Holder) => Promise<boolean>;
}

/** An attempt that has the lease. */
export interface Taken extends Attempt {
  /** The committed head. Nobody else may change it now. */
  readonly base: StoredHead | undefined;
  /** Attempts since that commit that never committed. */
  readonly abandoned: readonly Abandoned[];
}

/**
 * Takes the lease for a new attempt of the run and calls the step with it. Releases the lease where the step
 * throws. Throws LEASE_HELD where another run is under way, and HEAD_OLDER where an older head was put back.
 */
export async function withAttempt<Result>(
  runId: string,
  services: Services & HolderServices,
  step: (taken: Taken) => Promise<Result>,
): Promise<Result> {
  const { lake } = services;
  const before = await readLease(lake);
  const { attempt } = await takeFirstLease(runId, services, await lastAttempt(lake, runId));
  try {
    const base = await readHead(lake, runId);
    await markLake(lake, base?.head);
    await refuseOlderHead(lake, base);
    const abandoned = await abandonedAttempts(lake, { before, committed: base?.head.attempt ?? 0 });
    return await step({ runId, attempt, base, abandoned });
  } catch (error) {
    await releaseLease(lake, { runId, attempt });
    throw error;
  }
}

/** Takes the lease for a new attempt of the run, which has a higher number than `headAttempt`. Throws LEASE_HELD. */
export async function takeFirstLease(
  runId: string,
  { lake, now, holder, holderHasEnded }: Services & HolderServices,
  headAttempt: number,
): Promise<Lease> {
  const until = new Date(now().getTime() + FIRST_LEASE_MS);
  return await takeLease({ lake, runId, holder, holderHasEnded, until, now: now(), headAttempt });
}

/** The lease counts the attempts. If the lease was removed, the head and the run record know the last one. */
async function lastAttempt(lake: Lake, runId: string): Promise<number> {
  const head = await readHead(lake, runId);
  const record = await readRunRecordIfAny(lake, runId);
  return Math.max(head?.head.attempt ?? 0, record?.attempt ?? 0);
}

/**
 * The attempts since the last commit; no head names their files. The record of the previous attempt knows
 * them all. If that attempt was killed before it wrote its record, the records of the other runs are read.
 */
async function abandonedAttempts(
  lake: Lake,
  { before, committed }: { readonly before: Lease | undefined; readonly committed: number },
): Promise<readonly Abandoned[]> {
  if (before === undefined || before.attempt <= committed) return [];
  const last = await readRunRecordIfAny(lake, before.runId);
  const records = last?.attempt === before.attempt ? [last] : await recordsSince(lake, committed);
  const all = records.flatMap((record) => [...record.abandoned, abandonedBy(record)]);
  return [...new Map(all.map((each) => [`${each.run} ${each.date}`, each])).values()];
}

/** The files that an attempt leaves behind if it does not commit. */
export function abandonedBy(record: RunRecord): Abandoned {
  return { run: attemptName(record), date: record.exportDate, at: record.deadline };
}

async function recordsSince(lake: Lake, committed: number): Promise<readonly RunRecord[]> {
  const runs: string[] = [];
  for await (const { runId } of listKeys(lake, 'runConfig')) runs.push(runId);
  const records = await sideBySide(runs, OBJECTS_AT_ONCE, (runId) => readRunRecordIfAny(lake, runId));
  return records.flatMap((record) => (record !== undefined && record.attempt > committed ? [record] : []));
}
