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
import { replaceFile, secretsNextTo } from './named-files.ts';

export type FirstFiles = Awaited<ReturnType<typeof writeFiles>>;

interface InitFiles {
  readonly config: string;
  readonly secrets?: string | undefined;
  readonly add: boolean;
}

/**
 * Writes a config with one source, its JSON schema, and the key into a file for only its owner; or adds the source to the
 * config that is there. Throws UsageError, and writes nothing, if an answer is wrong. Returns no
 * `secrets` if the config itself says where the key is.
 */
export async function writeFiles(answers: Answers, options: InitFiles) {
  const { key, kind, name, url, settings } = answers;
  const { config: file, add } = options;
  const held = 'place' in key ? undefined : { [key.form]: key.value };
  if (held !== undefined) parseSecret(held, 'What was given');
  const secret = 'place' in key ? key.place : secretName(name);
  const source = { name, kind, baseUrl: url, ...settings, secret };
  const text = add
    ? withValueAt(await readFile(file, 'utf8'), ['sources', -1], source)
    : jsonText({
        $schema: `./${SCHEMA_FILE}`,
        name: 'signage',
        schedule: 'cron(0 3 * * ? *)',
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        sources: [source],
      });
  parseConfig(text, file);
  const secrets = held === undefined ? undefined : (options.secrets ?? secretsNextTo(file));
  const schema = join(dirname(file), SCHEMA_FILE);
  try {
    makeFolders(dirname(file));
    if (secrets !== undefined && held !== undefined) {
      if (!existsSync(secrets)) await writeFile(secrets, '{}\n', { mode: 0o600, flag: 'wx' });
      await putKey(secrets, name, held);
    }
    if (add) await replaceFile(file, text);
    else {
      await writeFile(schema, jsonText(configSchema()));
      await writeFile(file, text, { flag: 'wx' });
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(
      `${file} and the files beside it cannot be written (${errno(cause)}): name a place that this user may write with --config.`,
      'CONFIG_NOT_WRITTEN',
      cause,
    );
  }
  return { written: [file, ...(secrets === undefined ? [] : [secrets]), ...(add ? [] : [schema])], secrets };
}

const jsonText = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const secretName = (source: string) => `signage-export/${source}`;

/** Puts the key of a source into the file of keys. Throws UsageError SECRET_INVALID for another text. */
export async function putKey(
  file: string,
  source: string,
  held: Readonly<Record<string, string>>,
): Promise<void> {
  parseSecret(held, 'What was given');
  await replaceFile(file, withValueAt(await readFile(file, 'utf8'), [secretName(source)], held));
}

/** Throws UsageError FILE_EXISTS if a file to write already exists; `key` is as in --key. */
export function refuseFilesThere({
  config,
  secrets,
  key,
}: Omit<InitFiles, 'add'> & { readonly key?: string | undefined }): void {
  const ofKey = key === undefined || key === '-' ? { '--secrets': secrets ?? secretsNextTo(config) } : {};
  for (const [option, file] of Object.entries({ '--config': config, ...ofKey })) {
    if (!existsSync(file)) continue;
    throw new UsageError(
      `${file} is there already, so nothing is written: add a source with init --add, edit it, or name another with ${option}.`,
      'FILE_EXISTS',
    );
  }
}
