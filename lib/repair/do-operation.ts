import { committedHead } from '../lake/head.ts';
import type { Operation } from '../run/payloads.ts';
import { applyType } from './apply-type.ts';
import { newMaskKey } from './new-mask-key.ts';
import { previewOperation } from './preview-operation.ts';
import { purge } from './purge/purge.ts';
import { purgeRecord } from './purge/purge-record.ts';
import { rebuild } from './rebuild.ts';
import { recover } from './recover.ts';
import { rollback } from './rollback.ts';
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
