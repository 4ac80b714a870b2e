import { renewLease } from '../lake/lease.ts';
import type { Services } from '../runtime/services.ts';
import type { RunRecord } from './run-record.ts';

/** A stage that died holds the lease so much longer than it could have run. */
const MARGIN_MS = 5 * 60_000;
/** A margin so much smaller does as well: stages side by side, and those that follow soon, need not put the lease. */
export const LEASE_SPARE_MS = 2 * 60_000;
/** What a stage without a time limit (on a laptop) is given at a time. */
const LONGEST_STAGE_MS = 15 * 60_000;

/** Holds the lease for as long as this stage may run, or throws LEASE_LOST where another run has taken it. */
export async function keepLease(record: RunRecord, services: Services): Promise<void> {
  const mayRun = Math.min(services.timeLeft(), LONGEST_STAGE_MS);
  const until = services.now().getTime() + mayRun + MARGIN_MS;
  const mine = { runId: record.leaseRunId, attempt: record.attempt };
  await renewLease(services.lake, mine, new Date(until), new Date(until - LEASE_SPARE_MS));
}
