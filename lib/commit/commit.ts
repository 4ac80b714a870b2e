import { readHead } from '../lake/head.ts';
import { writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import { releaseLease } from '../lake/lease.ts';
import { readBaseHead } from '../run/base.ts';
import { holdLease } from '../run/keep-lease.ts';
import type { CommitEvent, Committed } from '../run/payloads.ts';
import { readPlan } from '../run/plan-file.ts';
import { readPublishedUnits } from '../run/published-unit.ts';
import { readAttempt } from '../run/run-record.ts';
import { summaryOf } from '../run/summary.ts';
import type { Services } from '../runtime/services.ts';
import { nextHead } from './next-head.ts';
import { putHead } from './put-head.ts';

/**
 * Puts a head that names this attempt's files in the place of the one that the attempt began with, gives the lease
 * back and removes what no head has named for a day. Throws COMMIT_FENCED where another commit came between.
 */
export async function commitRun(event: CommitEvent, services: Services): Promise<Committed> {
  const { lake } = services;
  const record = await readAttempt(lake, event);
  const lease = { runId: record.leaseRunId, attempt: record.attempt };
  const current = await readHead(lake);
  if (current?.head.runId === record.runId && current.head.attempt === record.attempt) {
    await services.afterCommit?.(current.head);
    await releaseLease(lake, lease);
    return { status: current.head.status };
  }
  await using _lease = await holdLease(record, services);
  services.onProgress({ stage: 'commit' });

  const base = await readBaseHead(lake, record);
  const plan = await readPlan(lake, event);
  const units = await readPublishedUnits(lake, event, plan.units);
  const committedAt = services.now();
  await writeJson(lake, lakeKey('summary', event), summaryOf({ record, units, committedAt }));
  const next = nextHead({ record, base, plan, units, committedAt });
  const { abandoned, config } = record;
  const head = await putHead(services, {
    current,
    next,
    lease,
    abandoned,
    rawRetentionDays: config.rawRetentionDays,
  });
  return { status: head.status };
}
