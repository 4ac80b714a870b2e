import { UsageError } from '../errors.ts';
import { systemScratch } from '../lake/folder/system-scratch.ts';
import { committedHead, type Head, readPreviousHead } from '../lake/head.ts';
import { lakeKey, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { releaseLease } from '../lake/lease.ts';
import { missingFiles, neededFiles, tableKeys } from '../lake/named-files.ts';
import { refuseDamaged } from '../lake/sums/refuse-damaged.ts';
import { writeBatches } from '../run/batch.ts';
import { cutBatches } from '../run/cut-batches.ts';
import { readDialects, writeDialects } from '../run/dialects.ts';
import type { ExecutionInput } from '../run/payloads.ts';
import { type RunRecord, readRunRecordIfAny, writeRunRecord } from '../run/run-record.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { childrenOf, RESOURCE_NAMES } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { withAttempt } from '../start/take-attempt.ts';
import { type RepairServices, runAgain, stillCommitted } from './run-again.ts';

/**
 * Takes the lease, and batches again what was denied or failed in the newest run. The repaired run has the
 * same base as the run itself. `input` is undefined if nothing is left to repair. Throws UsageError RUN_COVERED
 * for an older run, and REPAIR_TOO_LATE.
 */
export async function startRepair(
  runId: string | undefined,
  services: RepairServices,
): Promise<{ readonly head: Head; readonly input: ExecutionInput | undefined }> {
  const { lake } = services;
  const { head } = await committedHead(lake);
  if (runId !== undefined && runId !== head.runId) {
    throw new UsageError(
      `Run ${runId} cannot be repaired, because run ${head.runId} is newer: only the newest run can.`,
      'RUN_COVERED',
    );
  }
  const left = await unanswered(head, services);
  if (left.length === 0) return { head, input: undefined };
  const { record, baseHead } = await repairable(lake, head);
  return await withAttempt(head.runId, services, async (taken) => {
    stillCommitted(taken, head);
    const again = runAgain({ record, taken, baseHead }, services);
    const sources = again.config.sources.filter(({ name }) => left.some(({ source }) => source === name));
    if (sources.length === 0) {
      await releaseLease(lake, taken);
      return { head, input: undefined };
    }
    for (const source of sources) await batchAgain(lake, { runId: head.runId, source, left });
    await writeRunRecord(lake, { ...again, isRepair: true });
    const input = { runId: head.runId, attempt: taken.attempt, sources: sources.map(({ name }) => name) };
    return { head, input };
  });
}

/** What a repair of the head's run needs. Throws UsageError REPAIR_TOO_LATE if a part of it is missing. */
export async function repairable(
  lake: Lake,
  head: Head,
): Promise<{ readonly record: RunRecord; readonly baseHead: string | null }> {
  const record = await readRunRecordIfAny(lake, head.runId);
  if (record === undefined) throw tooLate(head.runId, 'its raw answers were removed');
  if (head.previous === null) return { record, baseHead: null };
  const previous = await readPreviousHead(lake, head);
  if (previous === undefined) throw tooLate(head.runId, `the commit of run ${head.previous} is gone`);
  const [missing] = await missingFiles(lake, neededFiles(previous, head));
  if (missing !== undefined) throw tooLate(head.runId, `${missing}, upon which it is built, is gone`);
  return { record, baseHead: head.base ?? lakeKey('runHead', { runId: head.previous }) };
}

function tooLate(runId: string, why: string): UsageError {
  return new UsageError(
    `Run ${runId} can no longer be repaired: ${why}. Start a new run, which calls every listing.`,
    'REPAIR_TOO_LATE',
  );
}

/** Batches the parents with missing children. If the listing of parents is missing, list cuts the batches itself. */
async function batchAgain(
  lake: Lake,
  options: { readonly runId: string; readonly source: Source; readonly left: readonly Unanswered[] },
): Promise<void> {
  const { runId, source, left } = options;
  const place = { runId, source: source.name };
  const mine = left.filter((each) => each.source === source.name);
  const groups = [...Map.groupBy(mine, ({ resource }) => resource)].map(([resource, items]) => ({
    resource,
    failures: 0,
    parents: items.flatMap(({ parentId }) => parentId ?? []),
  }));
  let pass = 0;
  for (const kind of ['batch', 'raw'] as const)
    for await (const key of listKeys(lake, kind, place)) pass = Math.max(pass, key.pass + 1);
  const before = await readDialects(lake, place);
  const lacksParents = mine.some(
    ({ resource, parentId }) => parentId === null && childrenOf(resource).length > 0,
  );
  // An interrupted repair has already listed the parents and cut their batches, which collect continues.
  if (lacksParents && groups.every(({ parents }) => parents.length === 0) && before.batches > 0) return;
  const batches = await writeBatches(lake, { ...place, pass }, cutBatches(source, groups));
  await writeDialects(lake, place, { ...before, pass, batches });
}

type Unanswered = Awaited<ReturnType<typeof unanswered>>[number];

/** The listings that were denied or failed in the committed run, without those that are held because they shrank. */
export async function unanswered(head: Head, services: Services) {
  const { lake } = services;
  const files = head.tables.outcomes?.newest;
  if (files === undefined) return [];
  await refuseDamaged(lake, [{ table: 'outcomes', ...files }]);
  await using scratch = await systemScratch();
  using db = await openStageDb(services, scratch);
  const rows = await db.rows(`
    select export_source, resource, parent_id
    from ${readParquet(await lake.localPaths(tableKeys('outcomes', files)))}
    where export_run_id = ${quoteLiteral(head.runId)}
      and outcome in ('denied', 'failed')
      and error_code is distinct from 'LISTING_SHRANK'
    order by all`);
  return rows.flatMap((row) => {
    const resource = RESOURCE_NAMES.find((name) => name === row.resource);
    if (resource === undefined) return [];
    // A listing without parent has none.
    const parentId = row.parent_id === null ? null : String(row.parent_id);
    return [{ source: String(row.export_source), resource, parentId }];
  });
}
