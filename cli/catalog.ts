import { glueCatalog } from '#lib/aws/glue-catalog.ts';
import { syncCatalog } from '#lib/catalog/sync-catalog.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { deployedStack, operateDeployed } from './deployed.ts';
import { openLake } from './local-services.ts';
import { commandOf, IN_STACK, innerCommands, text } from './options.ts';
import { tell } from './say.ts';

const OPTIONS = {
  database: text(
    '<name>',
    'the Glue database; the default is that of the deployed stack, and so is the lake without --lake s3://…',
  ),
  deployed: IN_STACK,
};

const sync = commandOf(OPTIONS, async (given) => {
  const isNamed = given.lake.startsWith('s3://');
  const option = given.database === undefined ? isNamed && '--lake' : '--database';
  const fault = `--deployed and ${option} exclude each other: the stack has its own. Leave out one.`;
  if (given.deployed && option) throw new UsageError(fault);
  const stack = async () => await deployedStack(await readConfig(given.config));
  const lake = isNamed ? given.lake : (await stack())('Lake');
  const database = given.database ?? (await stack())('Database');
  const changes = given.deployed
    ? (await operateDeployed(await readConfig(given.config), { command: 'sync' })).catalog
    : await syncCatalog(await openLake(lake), glueCatalog(database), await readViews(QUERIES));
  if (changes === undefined) throw new Error(`${lake} has no catalog.`);
  tell(
    given,
    { database, ...changes },
    `The catalog ${database} now agrees with ${lake}: ${changes.tables} tables and ${changes.partitions} partitions written; ${changes.tablesRemoved} tables and ${changes.partitionsRemoved} partitions removed.`,
  );
});

export const addCatalog = innerCommands({
  sync: ['make the Glue database agree with the lake; a second sync changes nothing', sync],
});
