import { systemClock } from '../api/clock.ts';
import { renewLease } from '../lake/lease.ts';
import type { Services } from '../runtime/services.ts';
import type { RunRecord } from './run-record.ts';

/**
 * A stage keeps the lease for this time beyond its own time limit. After a crash the next run waits no longer
 * than that.
 */
const MARGIN_MS = 5 * 60_000;
/** A lease that ends only this much earlier is not renewed, so parallel stages need not all write it. */
export const LEASE_SPARE_MS = 2 * 60_000;
/** For how long a stage without a time limit, such as on a laptop, takes the lease at once. */
const LONGEST_STAGE_MS = 15 * 60_000;

/** Renews the lease for this stage's time, or throws LEASE_LOST where another run has taken it. */
async function keepLease(record: RunRecord, services: Services): Promise<void> {
  const mayRun = Math.min(services.timeLeft(), LONGEST_STAGE_MS);
  const until = services.now().getTime() + mayRun + MARGIN_MS;
  const mine = { runId: record.leaseRunId, attempt: record.attempt };
  await renewLease(services.lake, mine, new Date(until), new Date(until - LEASE_SPARE_MS));
}

/** A stage without a time limit keeps its lease even if two renewals fail. */
const RENEWAL_MS = 5 * 60_000;

/**
 * Holds the lease until it is disposed of. It is renewed every 5 minutes, however long a call, page or
 * statement takes. Throws LEASE_LOST where another run has it.
 */
export async function holdLease(record: RunRecord, services: Services) {
  const { clock = systemClock } = services;
  await keepLease(record, services);
  const ended = new AbortController();
  let fault: unknown;
  const renew = async (): Promise<void> => {
    while (fault === undefined) {
      await clock.sleep(RENEWAL_MS, ended.signal);
      await keepLease(record, services);
    }
  };
  const renewing = renew().catch((error: unknown) => {
    if (!ended.signal.aborted) fault = error;
  });
  return {
    /** Throws LEASE_LOST where another run has taken the lease, or the error of a failed renewal. */
    check: () => {
      if (fault !== undefined) throw fault;
    },
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await renewing;
    },
  };
}
