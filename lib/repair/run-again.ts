import { type PutHeadOptions, putHead } from '../commit/put-head.ts';
import { UsageError } from '../errors.ts';
import type { Head, StoredHead } from '../lake/head.ts';
import type { OperationPreview } from '../run/payloads.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { Services } from '../runtime/services.ts';
import { DEADLINE_MS, type StartServices } from '../start/start.ts';
import { type Taken, withAttempt } from '../start/take-attempt.ts';

/** The committed head, read again under the lease. Throws RUN_COVERED if a run committed meanwhile. */
export function stillCommitted({ base }: Taken, head: Head): StoredHead {
  if (base?.head.runId === head.runId && base.head.attempt === head.attempt) return base;
  throw new UsageError(
    `Run ${base?.head.runId ?? 'unknown'} was committed a moment ago: look at \`status\` and try again.`,
    'RUN_COVERED',
  );
}

export type RepairServices = Services & StartServices;

/** What an operator's command puts in the committed head's place. */
type Commit = Pick<PutHeadOptions, 'next' | 'unnamed' | 'types'>;

/** The committed head after an operation, and what the operation changed or would change. */
export interface Done {
  readonly head: Head;
  readonly changes?: OperationPreview;
}

/** Takes the lease for another attempt of a run, and commits its result as the head. Throws RUN_COVERED. */
export async function commitAgain(
  { runId, head }: { readonly runId: string; readonly head: Head },
  services: RepairServices,
  make: (taken: Taken) => Promise<Commit>,
): Promise<Head> {
  return await withAttempt(runId, services, async (taken) => {
    const current = stillCommitted(taken, head);
    return await putHead(services, {
      current,
      lease: taken,
      retention: services.config,
      ...(await make(taken)),
    });
  });
}

/** The record of another attempt of a committed run. Its sources, groups, hours and targets are the present config's; its date stays. */
export function runAgain(
  of: { readonly record: RunRecord; readonly taken: Taken; readonly baseHead: string | null },
  services: RepairServices,
): RunRecord {
  const { record, taken, baseHead } = of;
  const { config } = services;
  const { hours: _, targets: __, ...before } = record.config;
  const { groups, hours, targets } = config;
  const now = services.now();
  return {
    ...record,
    attempt: taken.attempt,
    againAt: now.toISOString(),
    deadline: new Date(now.getTime() + DEADLINE_MS).toISOString(),
    baseEtag: taken.base?.etag ?? null,
    baseHead,
    isNew: false,
    isRepair: false,
    leaseRunId: taken.runId,
    config: {
      ...before,
      groups,
      ...(hours !== undefined && { hours }),
      ...(targets !== undefined && { targets }),
      // The columns that are masked now need the present key.
      ...(config.maskSecret !== undefined && { maskSecret: config.maskSecret }),
      sources: record.config.sources.map(
        (source) => config.sources.find(({ name }) => name === source.name) ?? source,
      ),
    },
  };
}
