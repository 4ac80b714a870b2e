import { hasCode } from '../errors.ts';
import { committedHead, type Head } from '../lake/head.ts';
import type { CatalogChanges, Operated, OperateEvent } from '../run/payloads.ts';
import { runIdAt } from '../run-id.ts';
import { beginExecution } from '../start/begin-execution.ts';
import {
  type DeployedStart,
  endedOnAws,
  freeName,
  runDelayed,
  startDeployed,
} from '../start/start-deployed.ts';
import { doOperation } from './do-operation.ts';
import { carryHistoryOver } from './rename/rename-source.ts';
import { startRepair } from './start-repair.ts';

/** `executions` are those of the exporting state machine. */
export interface OperateServices extends Omit<DeployedStart, 'waiting'> {
  /** Makes the catalog match the head. Undefined without a catalog. */
  readonly syncCatalog: () => Promise<CatalogChanges | undefined>;
}

/**
 * Runs an operator's command on AWS. Its execution holds the lease. Only list and collect can call APIs. So a repair
 * starts an execution of the exporting state machine and hands it the lease. Throws what the command throws.
 */
export async function operate(
  { operation, execution }: OperateEvent,
  services: OperateServices,
): Promise<Operated> {
  const mine = { ...services, holder: { execution }, holderHasEnded: endedOnAws(services) };
  const asItIs = async () => operated((await committedHead(mine.lake)).head);
  switch (operation.command) {
    case 'repair':
      return await repairOnAws(operation.runId, mine);
    case 'start': {
      const { command: _, ...event } = operation;
      await carriedOver(mine, event.scheduledTime);
      const started = await startDeployed(event, services);
      return { ...(await asItIs()), ...('execution' in started && { execution: started.execution }) };
    }
    case 'sync': {
      // It takes no lease: the last of two parallel syncs ends at the newest head.
      const now = await asItIs();
      const catalog = await mine.syncCatalog();
      return { ...now, ...(catalog && { catalog }) };
    }
    default: {
      const { head, ...done } = await doOperation(operation, mine);
      return { ...operated(head), ...done };
    }
  }
}

/** Carries the history of renamed sources over. While another run or command has the lease, the start is tried again. */
async function carriedOver(
  services: Parameters<typeof carryHistoryOver>[0],
  scheduledTime: string,
): Promise<void> {
  try {
    await carryHistoryOver(services);
  } catch (error) {
    if (!hasCode('LEASE_HELD')(error)) throw error;
    throw runDelayed(runIdAt(new Date(scheduledTime)));
  }
}

async function repairOnAws(
  runId: string | undefined,
  services: Parameters<typeof startRepair>[1] & OperateServices,
): Promise<Operated> {
  const { executions, lake } = services;
  const name = await freeName((await committedHead(lake)).head.runId, executions);
  const holder = { execution: executions.arnOf(name) };
  const { head, input } = await startRepair(runId, { ...services, holder });
  if (input === undefined) return operated(head);
  return { ...operated(head), execution: await beginExecution({ executions, lake, name, input }) };
}

function operated({ runId, exportDate }: Head): Operated {
  return { runId, exportDate };
}
