import { systemClock } from '../api/clock.ts';
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
async function keepLease(record: RunRecord, services: Services): Promise<void> {
  const mayRun = Math.min(services.timeLeft(), LONGEST_STAGE_MS);
  const until = services.now().getTime() + mayRun + MARGIN_MS;
  const mine = { runId: record.leaseRunId, attempt: record.attempt };
  await renewLease(services.lake, mine, new Date(until), new Date(until - LEASE_SPARE_MS));
}

/** Two renewals may fail before the lease of a stage without a time limit is over. */
const RENEWAL_MS = 5 * 60_000;

/** The lease of a stage that is under way; disposed of when the stage ends. */
export interface HeldLease extends AsyncDisposable {
  /** Throws LEASE_LOST where another run has taken the lease meanwhile, or the reason why it could not be renewed. */
  readonly check: () => void;
}

/**
 * Holds the lease until it is disposed of, however long one call, page or statement takes: it is renewed every 5 minutes.
 * Throws LEASE_LOST where another run has it.
 */
export async function holdLease(record: RunRecord, services: Services): Promise<HeldLease> {
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
    check: () => {
      if (fault !== undefined) throw fault;
    },
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await renewing;
    },
  };
}
