import type { Command } from 'commander';
import { checkSecrets } from '#lib/config/check-secrets.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import { readSummary } from '#lib/run/summary.ts';
import { EXIT } from './exit.ts';
import { localApiServices, localServices, openLake, openSecrets } from './local-services.ts';
import { optionsOf } from './options.ts';
import { printRun } from './print-run.ts';
import { showProgress } from './progress.ts';
import { LOCAL_HOLDER, runStages } from './run-locally.ts';

/** `repair`: the newest run, again where it was denied or failed. */
export function addRepair(program: Command): void {
  program
    .command('repair')
    .argument('[run-id]', 'the newest run; another is refused')
    .description(
      'ask again for what the newest run was denied or failed to get, and publish it as the same run',
    )
    .action(async (runId: string | undefined, _options: unknown, command: Command) => {
      const options = optionsOf(command, {});
      const config = await readConfig(options.config);
      const secrets = await openSecrets(options.secrets);
      await checkSecrets(config, { sources: config.sources, secrets });
      using progress = showProgress();
      const local = localServices(openLake(options.lake), progress.on);
      await using services = localApiServices(local, secrets);
      const { head, input } = await startRepair(runId, { ...services, ...LOCAL_HOLDER, config });
      if (input === undefined) process.stderr.write(`Run ${head.runId} has nothing to repair.\n`);
      const summary =
        input === undefined ? await readSummary(services.lake, head) : await runStages(input, services);
      progress.end();
      printRun(summary, options);
      process.exitCode = EXIT[summary.status];
    });
}
