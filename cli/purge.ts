import type { Command } from 'commander';
import * as z from 'zod';
import { purge } from '#lib/repair/purge.ts';
import { operatorCommand } from './operator-command.ts';
import { say } from './say.ts';
import { extentText, rawText } from './say-first.ts';

/** `purge`: removes all data of a source from the lake, for good. */
export function addPurge(command: Command): void {
  command.requiredOption('--source <name>', 'the source whose rows and raw answers are removed');
  operatorCommand(command, { source: z.string() }, ({ source }) => ({
    operation: { command: 'purge', source },
    asks: ({ rewritten, removed, raw }) =>
      `${source} would lose ${extentText(removed)} and ${rawText(raw)}, for good; to leave its rows out, ${extentText(rewritten)} are written again.`,
    run: (services) => purge(source, services),
    ended: ({ config }, options) => {
      const isConfigured = config.sources.some(({ name }) => name === source);
      const next = isConfigured
        ? ' The config still has it, so the next run exports it again: remove it there if that is not wanted.'
        : '';
      say(
        options.json
          ? JSON.stringify({ source, isConfigured })
          : `No table and no raw answer holds data of ${source} any more; the replaced files are deleted a day from now.${onS3(options)}${next}`,
      );
    },
  }));
}

/** What S3 and Athena still hold: `docs/understand/privacy.md` has all places. */
function onS3({ deployed, lake }: { readonly deployed: boolean; readonly lake: string }): string {
  return deployed || lake.startsWith('s3://')
    ? ' S3 keeps their versions a day longer, and Athena the results of earlier queries for 30 days after each query. The pages of earlier dates in the results bucket (_report/report-DATE.html) name players and screens for 400 days: a purge with --deployed empties them; after a purge from this machine, delete them there.'
    : '';
}
