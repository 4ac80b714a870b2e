import type { Command } from 'commander';
import { glueCatalog } from '#lib/aws/glue-catalog.ts';
import { syncCatalog } from '#lib/catalog/sync-catalog.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import type { CatalogChanges } from '#lib/run/payloads.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { deployedStack } from './deployed-stack.ts';
import { openLake } from './local-services.ts';
import { operateDeployed } from './operate-deployed.ts';
import { commandOf, inStack, text } from './options.ts';
import { say } from './say.ts';

/** `catalog sync`: makes Glue say what the lake says. */
export function addCatalog(command: Command): void {
  const says = 'make the Glue database agree with the lake; a second sync changes nothing';
  commandOf(command.command('sync').description(says), OPTIONS, async (options) => {
    const { lake, database, changes } = options.deployed ? await syncDeployed(options) : await sync(options);
    say(
      options.json
        ? { database, ...changes }
        : `The catalog ${database} now agrees with ${lake}: ${changes.tables} tables and ${changes.partitions} partitions written; ${changes.tablesRemoved} tables and ${changes.partitionsRemoved} partitions removed.`,
    );
  });
}

const OPTIONS = {
  database: text(
    '--database <name>',
    'the Glue database; the default is that of the deployed stack, and so is the lake without --lake s3://…',
  ),
  deployed: inStack(),
};

interface SyncOptions {
  readonly config: string;
  readonly lake: string;
  readonly database?: string | undefined;
}

interface Synced {
  readonly lake: string;
  readonly database: string;
  readonly changes: CatalogChanges;
}

async function syncDeployed(options: SyncOptions): Promise<Synced> {
  const given = [options.database && '--database', options.lake.startsWith('s3://') && '--lake'];
  for (const option of given) {
    if (!option) continue;
    throw new UsageError(
      `--deployed and ${option} exclude each other: the stack has its own. Leave out one.`,
    );
  }
  const config = await readConfig(options.config);
  const stack = await deployedStack(config);
  const { catalog } = await operateDeployed(config, { command: 'sync' });
  if (catalog === undefined) throw new Error(`${stack.lake} has no catalog.`);
  return { ...stack, changes: catalog };
}

async function sync(options: SyncOptions): Promise<Synced> {
  const { lake, database } = await lakeAndDatabase(options);
  const views = await readViews(QUERIES);
  return { lake, database, changes: await syncCatalog(await openLake(lake), glueCatalog(database), views) };
}

async function lakeAndDatabase({ config, lake, database }: SyncOptions): Promise<Omit<Synced, 'changes'>> {
  if (lake.startsWith('s3://') && database !== undefined) return { lake, database };
  const stack = await deployedStack(await readConfig(config));
  return { lake: lake.startsWith('s3://') ? lake : stack.lake, database: database ?? stack.database };
}
