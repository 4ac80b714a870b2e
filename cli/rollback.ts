import type { Command } from 'commander';
import * as z from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import type { Head } from '#lib/lake/head.ts';
import { rollback } from '#lib/repair/rollback.ts';
import type { Operation } from '#lib/run/payloads.ts';
import { existingLake } from './existing-lake.ts';
import { onInterruptByHand } from './interrupts.ts';
import { leavingDatabase } from './leaving-database.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { localServices } from './local-services.ts';
import { optionsOf } from './options.ts';
import { say } from './say.ts';
import { DRY_RUN, extentText, FIRST, isToBeDone, YES } from './say-first.ts';

/** `rollback`: restores the tables to what they were after a run's commit. */
export function addRollback(command: Command): void {
  command
    .argument('<run-id>', 'the run whose tables become the newest again')
    .option(...DRY_RUN)
    .option(...YES)
    .option('--deployed', 'in the deployed stack, by rights of its own')
    .action(async (runId: string) => {
      const options = optionsOf(command, { ...FIRST, deployed: z.boolean().default(false) });
      const config = await readConfig(options.config);
      const operation = { command: 'rollback', runId } as const;
      const goesOn = await isToBeDone({
        ...options,
        preview: async () =>
          (await import('./preview-changes.ts')).previewChanges(operation, { ...options, config }),
        text: ({ removed, restored }) =>
          `With the tables of run ${runId}, ${extentText(removed)} would leave them, and ${extentText(restored)} come back.`,
      });
      if (!goesOn) return;
      const { exportDate } = options.deployed
        ? await rollbackDeployed(config, operation)
        : await rollbackHere(runId, { lake: options.lake, config });
      say(
        options.json
          ? JSON.stringify({ runId, exportDate })
          : `The tables are as run ${runId} of ${exportDate} left them. For a day you can go back: status says to which run.`,
      );
    });
}

async function rollbackHere(
  runId: string,
  { lake, config }: { readonly lake: string; readonly config: Config },
): Promise<Head> {
  using _ = onInterruptByHand();
  const services = leavingDatabase(localServices(await existingLake(lake)));
  return await rollback(runId, { ...services, ...LOCAL_HOLDER, config });
}

async function rollbackDeployed(config: Config, operation: Operation): Promise<Head> {
  const { operateDeployed } = await import('./operate-deployed.ts');
  return (await operateDeployed(config, operation)).head;
}
