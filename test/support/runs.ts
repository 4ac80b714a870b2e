import { LOCAL_HOLDER, localServices } from '#cli/local-services.ts';
import { runStages } from '#cli/run-locally.ts';
import { collect } from '#lib/collect/collect.ts';
import { commit } from '#lib/commit/commit.ts';
import type { Config } from '#lib/config/config.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { list } from '#lib/list/list.ts';
import { plan } from '#lib/plan/plan.ts';
import { publish } from '#lib/publish/publish.ts';
import type { RepairServices } from '#lib/repair/run-again.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import type { StartEvent } from '#lib/run/payloads.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import type { TaskHandler } from '#lib/runtime/state-machine.ts';
import { start } from '#lib/start/start.ts';
import { sweep } from '#lib/sweep/sweep.ts';

type Operated = ApiServices & RepairServices;

/** A run of all stages by whoever holds the lease; undefined where it was committed before. */
export async function exportOnce(services: Operated, event: StartEvent = {}) {
  const started = await start({ scheduledTime: services.now().toISOString(), ...event }, services);
  return started.kind === 'started' ? await runStages(started.input, services) : undefined;
}

/** A repair of the newest run; undefined where nothing is left to be asked for. */
export async function repairOnce(services: Operated, runId?: string): Promise<RunSummary | undefined> {
  const { input } = await startRepair(runId, services);
  return input && (await runStages(input, services));
}

/** What an operator's command of this machine works with; it has a DuckDB of its own. */
export function operatorOf<More extends object>(
  { lake, config }: { readonly lake: Lake; readonly config: Config },
  more?: More,
) {
  return { ...localServices(lake), ...LOCAL_HOLDER, config, ...(more as More) };
}

export const TASKS = ['List', 'Collect', 'Sweep', 'Plan', 'PublishUnit', 'Ledger', 'Commit'] as const;
export type Task = (typeof TASKS)[number];

/** The stages as the state machine calls them, each with services of its own. */
export function stagesWith(servicesOf: (task: Task) => ApiServices): Readonly<Record<Task, TaskHandler>> {
  return {
    List: (event) => list(event, servicesOf('List')),
    Collect: (event) => collect(event, servicesOf('Collect')),
    Sweep: (event) => sweep(event, servicesOf('Sweep')),
    Plan: (event) => plan(event, servicesOf('Plan')),
    PublishUnit: (event) => publish(event, servicesOf('PublishUnit')),
    Ledger: (event) => publish(event, servicesOf('Ledger')),
    Commit: (event) => commit(event, servicesOf('Commit')),
  };
}
