import type { Command } from 'commander';
import { z } from 'zod';
import { glueCatalog } from '#lib/aws/glue-catalog.ts';
import { syncCatalog } from '#lib/catalog/sync-catalog.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { deployedStack } from './deployed-stack.ts';
import { openLake } from './local-services.ts';
import { optionsOf } from './options.ts';
import { say } from './say.ts';

/** `catalog sync`: makes Glue say what the lake says. */
export function addCatalog(command: Command): void {
  command
    .command('sync')
    .option(
      '--database <name>',
      'the Glue database; the default is that of the deployed stack, and so is the lake without --lake s3://…',
    )
    .description('make the Glue database say what the lake says; a second time changes nothing')
    .action(async (_options: unknown, command: Command) => {
      const options = optionsOf(command, { database: z.string().optional() });
      const { lake, database } = await lakeAndDatabase(options);
      const views = await readViews(QUERIES);
      const changes = await syncCatalog(await openLake(lake), glueCatalog(database), views);
      say(
        options.json
          ? JSON.stringify({ database, ...changes })
          : `${database} says what ${lake} says: ${changes.tables} tables and ${changes.partitions} partitions written; ${changes.tablesRemoved} tables and ${changes.partitionsRemoved} partitions removed.`,
      );
    });
}

async function lakeAndDatabase(options: {
  readonly config: string;
  readonly lake: string;
  readonly database?: string | undefined;
}): Promise<{ readonly lake: string; readonly database: string }> {
  const { lake, database } = options;
  if (lake.startsWith('s3://') && database !== undefined) return { lake, database };
  const stack = await deployedStack(await readConfig(options.config));
  return { lake: lake.startsWith('s3://') ? lake : stack.lake, database: database ?? stack.database };
}
