import { collect } from '#lib/collect/collect.ts';
import { commit } from '#lib/commit/commit.ts';
import type { Config } from '#lib/config/config.ts';
import type { SecretStore } from '#lib/config/secrets.ts';
import { hasCode } from '#lib/errors.ts';
import { releaseLease } from '#lib/lake/lease.ts';
import { list } from '#lib/list/list.ts';
import { plan } from '#lib/plan/plan.ts';
import { publish } from '#lib/publish/publish.ts';
import { carryHistoryOver } from '#lib/repair/rename/rename-source.ts';
import type { ExecutionInput, StartEvent } from '#lib/run/payloads.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import type { ApiServices, Services } from '#lib/runtime/services.ts';
import { interpret, type TaskHandler } from '#lib/runtime/state-machine.ts';
import { start } from '#lib/start/start.ts';
import { sweep } from '#lib/sweep/sweep.ts';
import { localApiServices } from './local-api-services.ts';
import { LOCAL_HOLDER, leavingDatabase, localServices } from './local-services.ts';
import { showProgress } from './progress.ts';
import { note } from './say.ts';

/** One export on this machine, whose progress is shown. `now` is this machine's clock unless it is simulated. */
export async function exportHere(
  event: StartEvent,
  given: Pick<Services, 'lake'> & Partial<Pick<Services, 'now'>> & { config: Config; secrets: SecretStore },
): Promise<RunSummary> {
  const { config, lake, secrets, ...clock } = given;
  using progress = showProgress();
  const local = { ...localServices(lake, progress.on), ...clock };
  await using services = localApiServices(local, secrets);
  return await runLocally(event, { ...leavingDatabase(services), config });
}

/** One export on this machine, by the deployed state machine. Returns its summary, also below its coverage. */
export async function runLocally(
  event: StartEvent,
  services: ApiServices & { readonly config: Config },
): Promise<RunSummary> {
  for (const { was, name } of await carryHistoryOver({ ...services, ...LOCAL_HOLDER }))
    note(`The history of ${was} belongs to ${name} now: you may remove "was" from the config.`);
  const started = await start(event, { ...services, ...LOCAL_HOLDER });
  if (started.kind === 'committed') {
    // The process that committed may have died before it did what follows a commit.
    await services.afterCommit?.(started.head, true);
    note(`Run ${started.head.runId} is committed already: nothing was requested.`);
    return readSummary(services.lake, started.head);
  }
  return await runStages(started.input, services);
}

/** Runs the stages after start, for an attempt with the lease. Commit or an earlier error returns the lease. */
export async function runStages(input: ExecutionInput, services: ApiServices): Promise<RunSummary> {
  const { lake } = services;
  try {
    await interpret(input, {
      List: passedOver('list', (event) => list(event, openingDuckDb(services))),
      Collect: passedOver('collect', (event) => collect(event, services)),
      Sweep: passedOver('sweep', (event) => sweep(event, services)),
      Plan: (event) => plan(event, services),
      PublishUnit: (event) => publish(event, services),
      Ledger: (event) => publish(event, services),
      Commit: (event) => commit(event, services),
    });
  } catch (error) {
    if (!hasCode('RUN_FAILED')(error)) {
      // A full disk refuses this too, and the error that ended the run says more.
      await releaseLease(lake, input).catch(() => {});
      throw error;
    }
  }
  return readSummary(lake, input);
}

/** DuckDB opens while connections rest behind their first answers: its loading holds up the thread. */
function openingDuckDb(services: ApiServices): ApiServices {
  const open = async () => (await services.duckDb?.connect())?.[Symbol.dispose]();
  const client: ApiServices['client'] = (source, place) => {
    const own = services.client(source, place);
    const rest = () => {
      void open().catch(() => {});
      return own.rest();
    };
    return { ...own, rest };
  };
  return { ...services, client };
}

/** A handler that prints its error. The state machine continues, because the outcomes say what is missing. */
function passedOver(stage: string, handler: TaskHandler): TaskHandler {
  return async (event) => {
    try {
      return await handler(event);
    } catch (error) {
      const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      note(`warning: ${stage} broke off: ${what}`);
      throw error;
    }
  };
}
