import type { Command } from 'commander';
import { z } from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import type { Head } from '#lib/lake/head.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { existingLake } from './existing-lake.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { localServices } from './local-services.ts';
import { optionsOf } from './options.ts';
import { say } from './say.ts';

/** `rollback`: makes the tables again what they were after a run's commit. */
export function addRollback(command: Command): void {
  command
    .argument('<run-id>', 'the run whose tables become the newest again')

    .option('--deployed', 'in the deployed stack, by rights of its own')
    .action(async (runId: string) => {
      const options = optionsOf(command, { deployed: z.boolean().default(false) });
      const config = await readConfig(options.config);
      const { exportDate } = options.deployed
        ? await rollbackDeployed(config, runId)
        : await rollback(runId, {
            ...localServices(await existingLake(options.lake)),
            ...LOCAL_HOLDER,
            config,
          });
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
