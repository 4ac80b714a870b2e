import type { Command } from 'commander';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import { existingLake } from './existing-lake.ts';
import { EXIT } from './exit.ts';
import { onInterruptByHand } from './interrupts.ts';
import { leavingDatabase } from './leaving-database.ts';
import { localApiServices } from './local-api-services.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { localServices, openCheckedSecrets } from './local-services.ts';
import { commandOf, type GlobalOptions, inStack } from './options.ts';
import { printRun } from './print-run.ts';
import { showProgress } from './progress.ts';
import { runStages } from './run-locally.ts';
import { note } from './say.ts';

/** `repair`: requests again what was denied or failed in the newest run. */
export function addRepair(command: Command): void {
  command.argument('[run-id]', 'the newest run; any other is refused');
  commandOf(command, { deployed: inStack() }, async (options, runId) => {
    const config = await readConfig(options.config);
    if (options.deployed) {
      const operation = { command: 'repair', ...(runId !== undefined && { runId }) } as const;
      const { operateDeployed } = await import('./operate-deployed.ts');
      const { lake, head, execution } = await operateDeployed(config, operation);
      if (execution === undefined) sayNothingLeft(head.runId);
      printEnded(await readSummary(lake, head), { ...options, configured: config });
      return;
    }
    const secrets = await openCheckedSecrets(options.secrets, config);
    using _ = onInterruptByHand();
    using progress = showProgress();
    const local = localServices(await existingLake(options.lake), progress.on);
    await using api = localApiServices(local, secrets);
    const services = leavingDatabase(api);
    const { head, input } = await startRepair(runId, { ...services, ...LOCAL_HOLDER, config });
    if (input === undefined) sayNothingLeft(head.runId);
    const summary =
      input === undefined ? await readSummary(services.lake, head) : await runStages(input, services);
    progress.end();
    printEnded(summary, { ...options, configured: config });
  });
}

function sayNothingLeft(runId: string): void {
  note(`Run ${runId} has nothing to repair.`);
}

function printEnded(summary: RunSummary, options: GlobalOptions & { readonly configured: Config }): void {
  printRun(summary, options);
  process.exitCode = EXIT[summary.status];
}
