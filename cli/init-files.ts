import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseConfig } from '#lib/config/parse-config.ts';
import { parseSecret } from '#lib/config/secrets.ts';
import { UsageError } from '#lib/errors.ts';
import { makeFolders } from '#lib/make-folders.ts';
import { configSchema, SCHEMA_FILE } from './config-schema.ts';
import type { Answers } from './init-answers.ts';

export interface FirstFiles {
  readonly written: readonly string[];
  /** Where the key is; undefined where the config itself says it. */
  readonly secrets: string | undefined;
}

/** Where the key is put, unless the config says its place. */
function secretsFile({ config, secrets }: Pick<InitFiles, 'config' | 'secrets'>): string {
  return secrets ?? join(dirname(config), 'secrets.json');
}

interface InitFiles {
  readonly config: string;
  readonly secrets?: string | undefined;
  /** As --key has it. */
  readonly key?: string | undefined;
}

/** Throws UsageError FILE_EXISTS where a file is there already that would be written. */
export function refuseFilesThere(options: InitFiles): void {
  const { config, key } = options;
  const files: (readonly [option: string, file: string])[] = [['--config', config]];
  if (key === undefined || key === '-') files.push(['--secrets', secretsFile(options)]);
  for (const [option, file] of files) {
    if (!existsSync(file)) continue;
    throw new UsageError(
      `${file} is there already, so nothing is written: edit it, or name another with ${option}.`,
      'FILE_EXISTS',
    );
  }
}

/**
 * Writes a config with one source, its JSON schema, and the key into a file for its owner alone. Throws UsageError, and
 * writes nothing, where an answer is wrong.
 */
export async function writeFirstConfig(
  answers: Answers,
  options: { readonly config: string; readonly secrets?: string | undefined },
): Promise<FirstFiles> {
  const folder = dirname(options.config);
  const { key } = answers;
  const secret = 'place' in key ? key.place : `signage-export/${answers.name}`;
  const config = `${JSON.stringify(configOf(answers, secret), null, 2)}\n`;
  parseConfig(config, options.config);
  const secrets = 'place' in key ? undefined : secretsFile(options);
  const held = 'place' in key ? undefined : { [key.form]: key.value };
  if (held !== undefined) parseSecret(held, 'What was given');
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
      `${options.config} and the files beside it cannot be written (${(cause as NodeJS.ErrnoException).code}): name a place that this user may write with --config.`,
      'CONFIG_NOT_WRITTEN',
      cause,
    );
  }
  return { written: [options.config, ...(secrets === undefined ? [] : [secrets]), schema], secrets };
}

function configOf({ kind, name, url, settings }: Answers, secret: string): object {
  return {
    $schema: `./${SCHEMA_FILE}`,
    name: 'signage',
    schedule: 'cron(0 3 * * ? *)',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    sources: [{ name, kind, baseUrl: url, ...settings, secret }],
  };
}
