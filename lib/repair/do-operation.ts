import { committedHead } from '../lake/head.ts';
import { listKeys } from '../lake/keys.ts';
import { namedFiles, replacedFiles } from '../lake/named-files.ts';
import type { Operation, OperationPreview, PreviewedOperation } from '../run/payloads.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { applyType, previewType } from './apply-type.ts';
import { extentOf, NO_CHANGES } from './extent-of.ts';
import { newMaskKey } from './new-mask-key.ts';
import { findRecord } from './purge/find-record.ts';
import { filesOfSource, purge } from './purge/purge.ts';
import { previewOfPurge, previewOfRecord, purgeRecord } from './purge/purge-record.ts';
import { rebuild, rebuildOf } from './rebuild.ts';
import { recover } from './recover.ts';
import { rollback, rollbackOf } from './rollback.ts';
import type { Done, RepairServices } from './run-again.ts';

/** The operations that call no API, and begin and end in one place. */
type OwnOperation = Exclude<Operation, { command: 'repair' | 'start' | 'sync' }>;

/** Does an operator's command, here or in the deployed stack. Throws what the command throws. */
export async function doOperation(operation: OwnOperation, services: RepairServices): Promise<Done> {
  switch (operation.command) {
    case 'rebuild':
      return { head: await rebuild(operation.from, services) };
    case 'rollback':
      return { head: await rollback(operation.runId, services) };
    case 'purge':
      return { head: await purge(operation.source, services) };
    case 'purge-record':
      return await purgeRecord(operation, services);
    case 'recover':
      return { head: await recover({ ...operation, head: operation }, services) };
    case 'apply':
      return { head: await applyType(operation, services) };
    case 'new-mask-key':
      return { head: await newMaskKey(operation, services) };
    case 'preview': {
      const { head } = await committedHead(services.lake);
      return { head, changes: await previewOperation(operation.of, services) };
    }
  }
}

/** What the operation would change, in files, rows and bytes; nothing is written. Throws what the operation throws. */
async function previewOperation(
  operation: PreviewedOperation,
  services: RepairServices,
): Promise<OperationPreview> {
  switch (operation.command) {
    case 'purge': {
      const files = await filesOfSource(operation.source, services);
      const raw = await rawOf(services, ({ source }) => source === operation.source);
      return await previewOfPurge({ files, raw }, services);
    }
    case 'purge-record': {
      await using scratch = await services.lake.scratch();
      using db = await openStageDb(services, scratch);
      return await previewOfRecord(await findRecord(operation, { services, db }), services);
    }
    case 'rebuild':
      return await previewRebuild(operation.from, services);
    case 'rollback':
      return await previewRollback(operation.runId, services);
    case 'apply':
      return await previewType(operation, services);
  }
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
