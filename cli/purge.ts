import type { Command } from 'commander';
import * as z from 'zod';
import { readConfig } from '#lib/config/parse-config.ts';
import { purge } from '#lib/repair/purge.ts';
import { existingLake } from './existing-lake.ts';
import { onInterruptByHand } from './interrupts.ts';
import { leavingDatabase } from './leaving-database.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { localServices } from './local-services.ts';
import { optionsOf } from './options.ts';
import { say } from './say.ts';
import { DRY_RUN, extentText, FIRST, isToBeDone, rawText, YES } from './say-first.ts';

/** `purge`: removes all data of a source from the lake, for good. */
export function addPurge(command: Command): void {
  command
    .requiredOption('--source <name>', 'the source whose rows and raw answers are removed')
    .option(...DRY_RUN)
    .option(...YES)
    .option('--deployed', 'in the deployed stack, by rights of its own')
    .action(async () => {
      const options = optionsOf(command, {
        ...FIRST,
        source: z.string(),
        deployed: z.boolean().default(false),
      });
      const config = await readConfig(options.config);
      const operation = { command: 'purge', source: options.source } as const;
      const goesOn = await isToBeDone({
        ...options,
        preview: async () =>
          (await import('./preview-changes.ts')).previewChanges(operation, { ...options, config }),
        text: ({ rewritten, removed, raw }) =>
          `${options.source} would lose ${extentText(removed)} and ${rawText(raw)}, for good; to leave its rows out, ${extentText(rewritten)} are written again.`,
      });
      if (!goesOn) return;
      if (options.deployed) {
        const { operateDeployed } = await import('./operate-deployed.ts');
        await operateDeployed(config, operation);
      } else {
        const services = leavingDatabase(localServices(await existingLake(options.lake)));
        using _ = onInterruptByHand();
        await purge(options.source, { ...services, ...LOCAL_HOLDER, config });
      }
      const isConfigured = config.sources.some(({ name }) => name === options.source);
      const next = isConfigured
        ? ' The config still has it, so the next run exports it again: remove it there if that is not wanted.'
        : '';
      say(
        options.json
          ? JSON.stringify({ source: options.source, isConfigured })
          : `No table and no raw answer holds data of ${options.source} any more; the replaced files are deleted a day from now.${onS3(options)}${next}`,
      );
    });
}

/** What S3 and Athena still hold: `docs/understand/privacy.md` has all places. */
function onS3({ deployed, lake }: { readonly deployed: boolean; readonly lake: string }): string {
  return deployed || lake.startsWith('s3://')
    ? ' S3 keeps their versions a day longer, and Athena the results of earlier queries for 30 days after each query. The pages of earlier dates in the results bucket (_report/report-DATE.html) name players and screens for 400 days: a purge with --deployed empties them; after one from this machine delete them there.'
    : '';
}
