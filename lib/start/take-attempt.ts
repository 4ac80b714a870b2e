import { readHead, type StoredHead } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { type Holder, type Lease, releaseLease, takeLease } from '../lake/lease.ts';
import { markLake } from '../lake/marker.ts';
import { refuseOlderHead } from '../lake/newer-head.ts';
import { readRunRecordIfAny } from '../run/run-record.ts';
import type { Attempt } from '../run-id.ts';
import type { Services } from '../runtime/services.ts';

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
  const { attempt } = await takeFirstLease(runId, services, await lastAttempt(lake, runId));
  try {
    const base = await readHead(lake, runId);
    await markLake(lake, base?.head);
    await refuseOlderHead(lake, base);
    return await step({ runId, attempt, base });
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
