import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseConfig } from '#lib/config/parse-config.ts';
import { withValueAt } from '#lib/config/parse-json.ts';
import { parseSecret } from '#lib/config/secrets.ts';
import { errno, UsageError } from '#lib/errors.ts';
import { makeFolders } from '#lib/make-folders.ts';
import { configSchema, SCHEMA_FILE } from './config-schema.ts';
import type { Answers } from './init-answers.ts';
import { secretsNextTo } from './named-files.ts';
import { replaceFile } from './replace-file.ts';

export interface FirstFiles {
  readonly written: readonly string[];
  /** Where the key is; undefined if the config itself says it. */
  readonly secrets: string | undefined;
}

/** The file for the key, unless the config says its place. */
function secretsFile({ config, secrets }: Pick<InitFiles, 'config' | 'secrets'>): string {
  return secrets ?? secretsNextTo(config);
}

interface InitFiles {
  readonly config: string;
  readonly secrets?: string | undefined;
  /** As in --key. */
  readonly key?: string | undefined;
}

/**
 * Adds a source to the config, and its key to the file of keys. Everything else in them stays as it is.
 * Throws UsageError, and writes nothing, if an answer is wrong or a source already has that name.
 */
export async function addSource(answers: Answers, options: InitFiles): Promise<FirstFiles> {
  const { config } = options;
  const { secret, held } = secretOf(answers);
  const added = withValueAt(await readFile(config, 'utf8'), ['sources', -1], sourceOf(answers, secret));
  parseConfig(added, config);
  const secrets = held === undefined ? undefined : secretsFile(options);
  if (secrets !== undefined && held !== undefined) {
    if (!existsSync(secrets)) await writeFile(secrets, '{}\n', { mode: 0o600, flag: 'wx' });
    await putKey(secrets, answers.name, held);
  }
  await replaceFile(config, added);
  return { written: [config, ...(secrets === undefined ? [] : [secrets])], secrets };
}

/** Puts the key of a source into the file of keys. Throws UsageError SECRET_INVALID for another text. */
export async function putKey(
  file: string,
  source: string,
  held: Readonly<Record<string, string>>,
): Promise<void> {
  parseSecret(held, 'What was given');
  await replaceFile(file, withValueAt(await readFile(file, 'utf8'), [secretName(source)], held));
}

const secretName = (source: string) => `signage-export/${source}`;

/** The key's name or place for the config, and the key itself for the file of keys. */
function secretOf({ key, name }: Answers): {
  readonly secret: string;
  readonly held: Readonly<Record<string, string>> | undefined;
} {
  if ('place' in key) return { secret: key.place, held: undefined };
  const held = { [key.form]: key.value };
  parseSecret(held, 'What was given');
  return { secret: secretName(name), held };
}

/** Throws UsageError FILE_EXISTS if a file to write already exists. */
export function refuseFilesThere(options: InitFiles): void {
  const { config, key } = options;
  const files: (readonly [option: string, file: string])[] = [['--config', config]];
  if (key === undefined || key === '-') files.push(['--secrets', secretsFile(options)]);
  for (const [option, file] of files) {
    if (!existsSync(file)) continue;
    throw new UsageError(
      `${file} is there already, so nothing is written: add a source with init --add, edit it, or name another with ${option}.`,
      'FILE_EXISTS',
    );
  }
}

/**
 * Writes a config with one source, its JSON schema, and the key into a file for only its owner. Throws
 * UsageError, and writes nothing, if an answer is wrong.
 */
export async function writeFirstConfig(
  answers: Answers,
  options: { readonly config: string; readonly secrets?: string | undefined },
): Promise<FirstFiles> {
  const folder = dirname(options.config);
  const { secret, held } = secretOf(answers);
  const config = `${JSON.stringify(configOf(answers, secret), null, 2)}\n`;
  parseConfig(config, options.config);
  const secrets = held === undefined ? undefined : secretsFile(options);
  const schema = join(folder, SCHEMA_FILE);
  try {
    makeFolders(folder);
    if (secrets !== undefined)
      await writeFile(secrets, `${JSON.stringify({ [secret]: held }, null, 2)}\n`, {
        mode: 0o600,
        flag: 'wx',
      });
    await writeFile(schema, `${JSON.stringify(configSchema(), null, 2)}\n`);
    await writeFile(options.config, config, { flag: 'wx' });
  } catch (cause) {
    throw new UsageError(
      `${options.config} and the files beside it cannot be written (${errno(cause)}): name a place that this user may write with --config.`,
      'CONFIG_NOT_WRITTEN',
      cause,
    );
  }
  return { written: [options.config, ...(secrets === undefined ? [] : [secrets]), schema], secrets };
}

function sourceOf({ kind, name, url, settings }: Answers, secret: string): object {
  return { name, kind, baseUrl: url, ...settings, secret };
}

function configOf(answers: Answers, secret: string): object {
  return {
    $schema: `./${SCHEMA_FILE}`,
    name: 'signage',
    schedule: 'cron(0 3 * * ? *)',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    sources: [sourceOf(answers, secret)],
  };
}
