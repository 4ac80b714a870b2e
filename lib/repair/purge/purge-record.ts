import type { Head } from '../../lake/head.ts';
import type { OperationPreview } from '../../run/payloads.ts';
import { openStageDb } from '../../runtime/stage-duckdb.ts';
import type { RepairServices } from '../run-again.ts';
import { findRecord, type PurgeRecord } from './find-record.ts';
import { previewOfRecord } from './preview-of-purge.ts';
import { forgetRemoved, removeRows } from './remove-rows.ts';

/**
 * Removes a record and its children for good, in the same way: rows first, then the heads of earlier runs, state and raw.
 * Says where they were. An interrupted purge is repeated. Throws UsageError RECORD_UNKNOWN and RECORD_AMBIGUOUS.
 */
export async function purgeRecord(
  wanted: PurgeRecord,
  services: RepairServices,
): Promise<{ readonly head: Head; readonly found: OperationPreview }> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const record = await findRecord(wanted, { services, db });
  const { removed, before, files, places } = record;
  const found = await previewOfRecord(record, services);
  const after = await removeRows(removed, { before, unitsOf: async () => files, services });
  await forgetRemoved(lake, { removed, before, after });
  // State comes first: it notes from raw what the run still counts.
  for (const { clean } of places) await clean();
  return { head: after, found };
}
