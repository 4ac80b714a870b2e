import { UsageError } from '../errors.ts';
import { commitHead, type Head } from '../lake/head.ts';
import { splitHead, writeMonths } from '../lake/head-months.ts';
import { writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { releaseLease } from '../lake/lease.ts';
import { markLake } from '../lake/marker.ts';
import { readSummaryOrNone } from '../run/summary.ts';
import { takeFirstLease } from '../start/take-attempt.ts';
import { type Recovery, recoveryOf } from './recovery-of.ts';
import type { RepairServices } from './run-again.ts';

/** What the caller was shown of a recovery. */
interface SaidRecovery extends Pick<Recovery, 'lastAttempt'> {
  readonly head: Pick<Head, 'runId' | 'attempt'>;
}

/**
 * Commits the newest whole head in the place of one that is lost, damaged, older or of another lake. It
 * removes nothing: files that this head does not name stay where they are. Throws LEASE_HELD, and RUN_COVERED
 * if the lake differs from `said`.
 */
export async function recover(said: SaidRecovery, services: RepairServices): Promise<Head> {
  const { lake, config, now } = services;
  const { runId } = said.head;
  const lease = await takeFirstLease(runId, services, said.lastAttempt);
  try {
    const found = await recoveryOf(lake, config);
    if (found?.head.runId !== runId || found.head.attempt !== said.head.attempt)
      throw new UsageError(
        `${lake.name} has changed a moment ago: look at \`status\` and try again.`,
        'RUN_COVERED',
      );
    const toldRun = found.kept.at(-1);
    const { toldRun: _, ...head } = found.head;
    const next = {
      ...head,
      attempt: lease.attempt,
      committedAt: now().toISOString(),
      ...(toldRun !== undefined && { toldRun }),
    };
    await markLake(lake, next);
    await putBack(found, { lake, next });
    await commitHead(lake, next, (await lake.read(lakeKey('head')))?.etag);
    await services.afterCommit?.(next);
    return next;
  } finally {
    await releaseLease(lake, lease);
  }
}

/** Restores the objects that the head needs. */
async function putBack(
  found: Recovery,
  { lake, next }: { readonly lake: Lake; readonly next: Head },
): Promise<void> {
  const schema = await found.lake.read(next.schema);
  if (schema !== undefined) await lake.write(next.schema, schema.bytes);
  await writeMonths(lake, splitHead(next));
  await writeJson(lake, lakeKey('summary', next), await readSummaryOrNone(found.lake, found.head));
}
