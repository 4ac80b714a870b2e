import { readConfig } from '#lib/config/parse-config.ts';
import { startRepair } from '#lib/repair/start-repair.ts';
import { readSummary } from '#lib/run/summary.ts';
import { EXIT } from './exit.ts';
import { localApiServices } from './local-api-services.ts';
import { openCheckedSecrets, openSecrets } from './local-services.ts';
import { operatorCommand } from './operate.ts';
import { IN_STACK, optionalWord } from './options.ts';
import { printRun } from './print-run.ts';
import { runStages } from './run-locally.ts';
import { note } from './say.ts';

const OPTIONS = {
  runId: optionalWord('[run-id]', 'the newest run; any other is refused'),
  deployed: IN_STACK,
};

export const addRepair = operatorCommand(OPTIONS, async ({ runId, ...options }) => {
  const secrets = await (options.deployed
    ? openSecrets(options.secrets)
    : openCheckedSecrets(options.secrets, await readConfig(options.config)));
  return {
    operation: { command: 'repair', ...(runId !== undefined && { runId }) },
    run: async (local) => {
      await using services = localApiServices(local, secrets);
      const { head, input } = await startRepair(runId, { ...local, ...services });
      return { head, ...(input !== undefined && { summary: await runStages(input, services) }) };
    },
    ended: async ({ lake, head, execution, config, summary }) => {
      if (execution === undefined && summary === undefined) note(`Run ${head.runId} has nothing to repair.`);
      const ended = summary ?? (await readSummary(lake, head));
      printRun(ended, { ...options, configured: config });
      process.exitCode = EXIT[ended.status];
    },
  };
});
