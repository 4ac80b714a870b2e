import { renewLease } from '../lake/lease.ts';
import type { Services } from '../runtime/services.ts';
import type { RunRecord } from './run-record.ts';

/**
 * A stage keeps the lease for this time beyond its own time limit. After a crash the next run waits no longer than
 * that.
 */
const MARGIN_MS = 5 * 60_000;
/** A lease that ends up to this much earlier is not renewed: stages that run side by side need not all write it. */
export const LEASE_SPARE_MS = 2 * 60_000;
/** For how long a stage without a time limit, such as on a laptop, takes the lease at once. */
const LONGEST_STAGE_MS = 15 * 60_000;

/** Holds the lease for as long as this stage may run, or throws LEASE_LOST where another run has taken it. */
export async function keepLease(record: RunRecord, services: Services): Promise<void> {
  const mayRun = Math.min(services.timeLeft(), LONGEST_STAGE_MS);
  const until = services.now().getTime() + mayRun + MARGIN_MS;
  const mine = { runId: record.leaseRunId, attempt: record.attempt };
  await renewLease(services.lake, mine, new Date(until), new Date(until - LEASE_SPARE_MS));
}
