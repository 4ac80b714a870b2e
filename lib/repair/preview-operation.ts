import { listKeys } from '../lake/keys.ts';
import { namedFiles, replacedFiles } from '../lake/named-files.ts';
import type { OperationPreview, PreviewedOperation } from '../run/payloads.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { previewType } from './apply-type.ts';
import { extentOf, NO_CHANGES } from './extent-of.ts';
import { findRecord, type PurgeRecord } from './purge/find-record.ts';
import { filesOfSource } from './purge/purge.ts';
import { previewOfPurge, previewOfRecord } from './purge/purge-record.ts';
import { rebuildOf } from './rebuild.ts';
import { rollbackOf } from './rollback.ts';
import type { RepairServices } from './run-again.ts';

/** What the operation would change, in files, rows and bytes; nothing is written. Throws what the operation throws. */
export async function previewOperation(
  operation: PreviewedOperation,
  services: RepairServices,
): Promise<OperationPreview> {
  switch (operation.command) {
    case 'purge':
      return await previewPurge(operation.source, services);
    case 'purge-record':
      return await previewPurgeRecord(operation, services);
    case 'rebuild':
      return await previewRebuild(operation.from, services);
    case 'rollback':
      return await previewRollback(operation.runId, services);
    case 'apply':
      return await previewType(operation, services);
  }
}

async function previewPurge(source: string, services: RepairServices): Promise<OperationPreview> {
  const files = await filesOfSource(source, services);
  const raw = await rawOf(services, (each) => each.source === source);
  return await previewOfPurge({ files, raw }, services);
}

async function previewPurgeRecord(wanted: PurgeRecord, services: RepairServices): Promise<OperationPreview> {
  await using scratch = await services.lake.scratch();
  using db = await openStageDb(services, scratch);
  return await previewOfRecord(await findRecord(wanted, { services, db }), services);
}

async function previewRebuild(from: string, services: RepairServices): Promise<OperationPreview> {
  const { head, records } = await rebuildOf(from, services.lake);
  const files = namedFiles(head).filter(({ date }) => date >= from);
  const rewritten = await extentOf(files, services);
  const runs = new Set<string>(records.map(({ runId }) => runId));
  const raw = await rawOf(services, ({ runId }) => runs.has(runId));
  return { ...NO_CHANGES, runs: records.length, rewritten, raw };
}

async function previewRollback(runId: string, services: RepairServices): Promise<OperationPreview> {
  const { target, committed } = await rollbackOf(runId, services);
  return {
    ...NO_CHANGES,
    removed: await extentOf(replacedFiles(committed, target), services),
    restored: await extentOf(replacedFiles(target, committed), services),
  };
}

async function rawOf(
  { lake }: RepairServices,
  isMeant: (raw: { readonly runId: string; readonly source: string }) => boolean,
): Promise<OperationPreview['raw']> {
  const found = { files: 0, bytes: 0 };
  for await (const raw of listKeys(lake, 'raw')) {
    if (!isMeant(raw)) continue;
    found.files += 1;
    found.bytes += raw.size;
  }
  return found;
}
