import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { ExportError, instead, isA } from '#lib/errors.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { readSchema, type Schema } from '#lib/schema/schema.ts';
import { idleTargets } from '#lib/views/idle-targets.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { checkSources } from './check-sources.ts';
import { localApiServices } from './local-api-services.ts';
import { localServices, openCheckedSecrets, openLake } from './local-services.ts';
import type { GlobalOptions } from './options.ts';

export type CheckedConfig = Awaited<ReturnType<typeof checkConfig>>;

/** Calls every listing of the config. Throws UsageError if a secret is missing. `names` are those of its sources. */
export async function checkConfig(options: Pick<GlobalOptions, 'config' | 'secrets' | 'lake'>) {
  const config = await readConfig(options.config);
  const written = { file: options.config, text: await readFile(options.config, 'utf8') };
  const secrets = await openCheckedSecrets(options.secrets, config);
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-check-'));
  try {
    await using services = localApiServices(localServices(folderLake(folder)), secrets);
    const lake = await openLake(options.lake);
    const schema = await readHead(lake)
      .then((stored) => stored && readSchema(lake, stored.head.schema))
      .catch(ifUnreadable);
    const check = await checkSources(written, services, schema);
    const ofLake = (await saidOfTargets(lake, config, schema).catch(ifUnreadable)) ?? [];
    return { check, ofLake, written, names: config.sources.map(({ name }) => name) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of a lake that cannot be read: it is nothing that the config says. */
const ifUnreadable = instead(isA(ExportError), undefined);

/** The targets that hold for nobody. Which groups there are is known if the last run had the config's groups. */
async function saidOfTargets(
  lake: Lake,
  { targets, groups }: Config,
  schema: Schema | undefined,
): Promise<readonly string[]> {
  if (targets === undefined || schema === undefined || !isDeepStrictEqual(schema.groups, groups)) return [];
  using tables = await openTables(lake, { sql: 'select * from player_groups_daily' });
  return (await idleTargets(tables, targets)).map((sentence) => told(sentence));
}
