import { readHead } from '../lake/head.ts';
import { releaseLease } from '../lake/lease.ts';
import { holdLease } from '../run/keep-lease.ts';
import { type Committed, commitEvent } from '../run/payloads.ts';
import { readAttempt } from '../run/run-record.ts';
import type { Services } from '../runtime/services.ts';
import { nextHead } from './next-head.ts';
import { putHead } from './put-head.ts';

/**
 * Commits the attempt: a head that names its files replaces the committed one. Then it releases the lease and
 * removes files that no head has named for a day. Throws COMMIT_FENCED where another commit came between.
 */
export async function commit(given: unknown, services: Services): Promise<Committed> {
  const event = commitEvent.parse(given);
  const { lake } = services;
  const record = await readAttempt(lake, event);
  const lease = { runId: record.leaseRunId, attempt: record.attempt };
  const current = await readHead(lake);
  if (current?.head.runId === record.runId && current.head.attempt === record.attempt) {
    await services.afterCommit?.(current.head, true);
    await releaseLease(lake, lease);
    return { status: current.head.status };
  }
  await using _lease = await holdLease(record, services);
  services.onProgress({ stage: 'commit' });
  const next = await nextHead(lake, { record, committedAt: services.now() });
  const head = await putHead(services, { current, next, lease, retention: record.config });
  return { status: head.status };
}
