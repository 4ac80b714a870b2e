import type { Command } from 'commander';
import { z } from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import type { Head } from '#lib/lake/head.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { localServices, openLake } from './local-services.ts';
import { optionsOf } from './options.ts';
import { LOCAL_HOLDER } from './run-locally.ts';
import { say } from './say.ts';

/** `rollback`: makes the tables again what they were after a run's commit. */
export function addRollback(program: Command): void {
  program
    .command('rollback')
    .argument('<run-id>', 'the run whose tables become the newest again')
    .description('commit the tables as that run left them; the daily tables lose all later dates')
    .option('--deployed', 'in the deployed stack, by rights of its own')
    .action(async (runId: string, _options: unknown, command: Command) => {
      const options = optionsOf(command, { deployed: z.boolean().default(false) });
      const config = await readConfig(options.config);
      const { exportDate } = options.deployed
        ? await rollbackDeployed(config, runId)
        : await rollback(runId, { ...localServices(openLake(options.lake)), ...LOCAL_HOLDER, config });
      say(
        options.json
          ? JSON.stringify({ runId, exportDate })
          : `The tables are as run ${runId} of ${exportDate} left them. For a day you can go back: status says to which run.`,
      );
    });
}

async function rollbackDeployed(config: Config, runId: string): Promise<Head> {
  const { operateDeployed } = await import('./operate-deployed.ts');
  return (await operateDeployed(config, { command: 'rollback', runId })).head;
}
