import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { ExportError } from '#lib/errors.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { readSchema, type Schema } from '#lib/schema/schema.ts';
import type { Question } from '#lib/sources/question.ts';
import { idleTargets } from '#lib/views/idle-targets.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { told } from '#lib/views/sentence.ts';
import { askedSettings } from './ask-settings.ts';
import { type Check, checkSources } from './check-sources.ts';
import { localApiServices } from './local-api-services.ts';
import { localServices, openCheckedSecrets, openLake } from './local-services.ts';
import type { GlobalOptions } from './options.ts';
import { type Change, type WrittenConfig, writeProposals } from './proposals.ts';
import type { SourceNames } from './setting-lines.ts';

export interface CheckedConfig {
  readonly check: Check;
  readonly written: WrittenConfig;
  readonly names: SourceNames;
  /** The targets that hold for nobody. */
  readonly ofLake: readonly string[];
}

/** Calls every listing of the config. Throws UsageError if a secret is missing. */
export async function checkConfig(
  options: Pick<GlobalOptions, 'config' | 'secrets' | 'lake'>,
): Promise<CheckedConfig> {
  const config = await readConfig(options.config);
  const written = { file: options.config, text: await readFile(options.config, 'utf8') };
  const secrets = await openCheckedSecrets(options.secrets, config);
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-check-'));
  try {
    await using services = localApiServices(localServices(folderLake(folder)), secrets);
    const { schema, said } = await committedOf(options.lake, config);
    return {
      check: await checkSources(written, services, schema),
      ofLake: said,
      written,
      names: config.sources.map(({ name }) => name),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Committed {
  readonly schema?: Schema;
  readonly said: readonly string[];
}

/** What is committed about columns and groups; nothing without a readable lake. */
async function committedOf(place: string, config: Config): Promise<Committed> {
  try {
    const lake = await openLake(place);
    const head = (await readHead(lake))?.head;
    if (head === undefined) return { said: [] };
    const schema = await readSchema(lake, head.schema);
    return { schema, said: await saidOfTargets(lake, { schema, config }) };
  } catch (error) {
    if (error instanceof ExportError) return { said: [] };
    throw error;
  }
}

/** The targets that hold for nobody. Which groups there are is known if the last run had the config's groups. */
async function saidOfTargets(
  lake: Lake,
  { schema, config }: { readonly schema: Schema; readonly config: Config },
): Promise<readonly string[]> {
  const { targets, groups } = config;
  if (targets === undefined || !isDeepStrictEqual(schema.groups, groups)) return [];
  try {
    using tables = await openTables(lake, { sql: 'select * from player_groups_daily' });
    return (await idleTargets(tables, targets)).map((sentence) => told(sentence));
  } catch (error) {
    // A damaged file of the lake is nothing that the config says.
    if (error instanceof ExportError) return [];
    throw error;
  }
}

export interface Settled {
  /** What was written into the config. */
  readonly changes: readonly Change[];
  /** The questions that stay open. */
  readonly open: readonly Question[];
}

/** Writes what `check` proposes, with `write`, and the answers of a person at the terminal. */
export async function settle(
  { check, written, names }: CheckedConfig,
  { write, json }: { readonly write: boolean; readonly json: boolean },
): Promise<Settled> {
  const mayAsk = process.stdin.isTTY && !json && check.questions.length > 0;
  const asking = mayAsk ? (await import('./ask-terminal.ts')).askTerminal() : undefined;
  const answers = asking === undefined ? [] : await askedSettings(check.questions, { asking, names });
  const changes = await writeProposals(written, [...(write ? check.proposals : []), ...answers]);
  const isOpen = ({ source, cures }: Question) =>
    !answers.some((one) => one.source === source && cures.some(({ setting }) => setting === one.setting));
  return { changes, open: check.questions.filter(isOpen) };
}
