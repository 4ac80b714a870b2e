import type { OperationPreview } from '../../run/payloads.ts';
import type { Services } from '../../runtime/services.ts';
import { openStageDb } from '../../runtime/stage-duckdb.ts';
import { extentOf, NO_CHANGES } from '../extent-of.ts';
import type { Done, RepairServices } from '../run-again.ts';
import type { FilesWithRows } from './files-with.ts';
import { type FoundRecord, findRecord, type PurgeRecord } from './find-record.ts';
import { forgetRemoved, removeRows } from './remove-rows.ts';

/**
 * Removes a record and its children for good, in the same way: rows first, then the heads of earlier runs, state and raw.
 * Says where they were. An interrupted purge is repeated. Throws UsageError RECORD_UNKNOWN and RECORD_AMBIGUOUS.
 */
export async function purgeRecord(wanted: PurgeRecord, services: RepairServices): Promise<Done> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const record = await findRecord(wanted, { services, db });
  const { removed, before, files, places } = record;
  const changes = await previewOfRecord(record, services);
  const after = await removeRows(removed, { before, unitsOf: async () => files, services });
  await forgetRemoved(lake, { removed, before, after });
  for (const { clean } of places) await clean();
  return { head: after, changes };
}

/** What a purge changes: the files that it writes again, and the rows and raw answers that go. */
export async function previewOfPurge(
  { files, raw }: { readonly files: readonly FilesWithRows[]; readonly raw: OperationPreview['raw'] },
  services: Services,
): Promise<OperationPreview> {
  const rewritten = await extentOf(files, services);
  const rows = files.reduce((all, each) => all + each.rows, 0);
  // In a file with several sources or records, the share of the bytes is estimated by the share of the rows.
  const share = rewritten.rows === 0 ? 0 : rows / rewritten.rows;
  const removed = { files: 0, rows, bytes: Math.round(rewritten.bytes * share) };
  return { ...NO_CHANGES, rewritten, removed, raw };
}

/** The same of a record, and where it is. */
export async function previewOfRecord(
  { removed, files, places }: FoundRecord,
  services: Services,
): Promise<OperationPreview> {
  const inRaw = places.filter(({ isRaw }) => isRaw);
  const raw = { files: inRaw.length, bytes: inRaw.reduce((all, { bytes }) => all + bytes, 0) };
  const byTable = Map.groupBy(files, ({ table }) => table);
  const tables = [...byTable].map(([table, own]) => {
    const dates = own.map(({ date }) => date).sort();
    const rows = own.reduce((all, each) => all + each.rows, 0);
    return { table, rows, dates };
  });
  return { ...(await previewOfPurge({ files, raw }, services)), record: { source: removed.source, tables } };
}
