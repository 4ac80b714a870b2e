import type { Command } from 'commander';
import * as z from 'zod';
import { readConfig } from '#lib/config/parse-config.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { readSummary } from '#lib/run/summary.ts';
import { counted } from '#lib/text.ts';
import { EXIT } from './exit.ts';
import { onInterruptByHand } from './interrupts.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { operatorServices } from './operator-services.ts';
import { optionsOf } from './options.ts';
import { printRun } from './print-run.ts';
import { showProgress } from './progress.ts';
import { DRY_RUN, extentText, FIRST, isToBeDone, rawText, YES } from './say-first.ts';

/** `rebuild`: makes the tables of every run from a date on again, from its raw answers. */
export function addRebuild(command: Command): void {
  command
    .requiredOption('--from <date>', 'the first export_date to make again, YYYY-MM-DD')
    .option(...DRY_RUN)
    .option(...YES)
    .option('--deployed', 'in the deployed stack, by rights of its own')
    .action(async () => {
      const options = optionsOf(command, {
        ...FIRST,
        from: z.iso.date({ error: 'a day of the calendar, written YYYY-MM-DD' }),
        deployed: z.boolean().default(false),
      });
      const config = await readConfig(options.config);
      const operation = { command: 'rebuild', from: options.from } as const;
      const goesOn = await isToBeDone({
        ...options,
        preview: async () =>
          (await import('./preview-changes.ts')).previewChanges(operation, { ...options, config }),
        text: ({ runs, rewritten, raw }) =>
          `${counted(runs, 'run')} from ${options.from} on would be made again from ${rawText(raw)}, in place of ${extentText(rewritten)}.`,
      });
      if (!goesOn) return;
      if (options.deployed) {
        const { operateDeployed } = await import('./operate-deployed.ts');
        const made = await operateDeployed(config, operation);
        printRun(await readSummary(made.lake, made.head), { ...options, configured: config });
        return;
      }
      using _ = onInterruptByHand();
      using progress = showProgress();
      const services = await operatorServices(options, progress.on);
      const head = await rebuild(options.from, { ...services, ...LOCAL_HOLDER, config });
      progress.end();
      printRun(await readSummary(services.lake, head), { ...options, configured: config });
      process.exitCode = EXIT.complete;
    });
}
