import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { parseConfig, readConfig } from '#lib/config/parse-config.ts';
import { withValueAt } from '#lib/config/parse-json.ts';
import { parseSecret } from '#lib/config/secrets.ts';
import { errno, hasCode, instead, UsageError } from '#lib/errors.ts';
import { makeFolders } from '#lib/make-folders.ts';
import { KINDS, kindNamed } from '#lib/sources/kinds.ts';
import { type CheckedConfig, checkConfig, decide } from './check.ts';
import { configSchema, SCHEMA_FILE } from './config.ts';
import { type Answers, answersOf, askedKey, REQUIRED } from './init-answers.ts';
import { type NamedFiles, replaceFile, secretsNextTo } from './named-files.ts';
import { commandOf, flag, noFlag, text } from './options.ts';
import { nextCommand } from './program-name.ts';
import { note, say } from './say.ts';

export function addInit(command: Command): void {
  for (const { option, due } of REQUIRED) command.option(`${option} <value>`, due);
  commandOf(OPTIONS, async (options) => {
    const { config, json, add } = options;
    // This comes before the first question, so that nobody answers all of them for nothing.
    const taken = add ? (await readConfig(config)).sources.map(({ name }) => name) : [];
    if (!add) refuseFilesThere(options);
    const settings = Object.fromEntries(
      REQUIRED.map(({ name }) => [name, z.string().optional().parse(command.opts()[name])]),
    );
    const answers = await answersOf({ ...options, settings, taken });
    const { written, secrets } = await writeFiles(answers, options);
    const sayNext = () => json || say(`\nNext:\n  ${nextCommand(['check'], { config, secrets })}`);
    if (!json) say(`Wrote ${written.join(', ')}.`);
    if (!options.check) return void sayNext();
    if (!json) note(`\nAsking ${answers.url}${answers.settings['basePath'] ?? ''} …`);
    const own = { ...options, secrets: secrets ?? options.secrets, write: true, roles: false };
    const ask = () =>
      checkConfig(own).catch((error) => {
        // The files are written: the operator adds what is missing, and then continues here.
        sayNext();
        throw error;
      });
    let checked = await ask();
    while (isKeyRefused(checked, answers) && (await anotherKey(answers, secrets))) checked = await ask();
    const { listings, changes } = await decide(checked, own);
    if (json) say({ written, changes, listings });
  })(command);
}

const OPTIONS = {
  kind: text(
    '<kind>',
    `${KINDS.map(({ kind }) => kind).join(' or ')}; a terminal is asked for what is left out`,
  ),
  url: text('<address>', 'the address of the API, such as https://signage.example.com:8443'),
  allowHttp: flag('accept an address with http://, over which anybody on the way reads the key'),
  name: text('<name>', 'what the source is called in every table; the default is its kind'),
  key: text(
    '<place>',
    'where its key is: env:NAME, file:PATH, exec:COMMAND, or - for stdin; never the key itself',
  ),
  add: flag('add a source to the config that is there'),
  check: noFlag('only write the files'),
};

function isKeyRefused({ check }: CheckedConfig, { name }: Answers): boolean {
  const own = check.settled.filter(({ source, status }) => source === name && status !== null);
  return own.length > 0 && own.every(({ status }) => status === 401);
}

/** Replaces a key that the server refuses, in the file of secrets. False if nobody types one. */
async function anotherKey({ key, name, kind }: Answers, secrets: string | undefined): Promise<boolean> {
  if ('place' in key || secrets === undefined) return false;
  note(`\nThe server answers 401: it refuses the ${key.form} of ${name} that is in ${secrets}.`);
  if (!process.stdin.isTTY) return false;
  const forms = Object.keys(kindNamed(kind).secret);
  try {
    const { form, value } = await askedKey(await import('./ask-terminal.ts'), forms, 'Another');
    await putKey(secrets, name, { [form]: value });
    return true;
  } catch (error) {
    return instead(hasCode('CANCELLED'), false)(error);
  }
}

type Files = Pick<NamedFiles, 'config' | 'secrets'>;

/** Writes config, schema and key, or adds a source; nothing if an answer is wrong. `secrets`: the file of the key. */
async function writeFiles(
  { key, kind, name, url, settings }: Answers,
  { config, add, ...options }: Files & { readonly add: boolean },
) {
  const held = 'place' in key ? undefined : { [key.form]: key.value };
  if (held !== undefined) parseSecret(held, 'What was given');
  const secret = 'place' in key ? key.place : secretName(name);
  const source = { name, kind, baseUrl: url, ...settings, secret };
  const text = add
    ? withValueAt(await readFile(config, 'utf8'), ['sources', -1], source)
    : jsonText({
        $schema: `./${SCHEMA_FILE}`,
        name: 'signage',
        schedule: 'cron(0 3 * * ? *)',
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        sources: [source],
      });
  parseConfig(text, config);
  const secrets = held === undefined ? undefined : (options.secrets ?? secretsNextTo(config));
  const schema = join(dirname(config), SCHEMA_FILE);
  try {
    makeFolders(dirname(config));
    if (secrets !== undefined && held !== undefined) {
      if (!existsSync(secrets)) await writeFile(secrets, '{}\n', { mode: 0o600, flag: 'wx' });
      await putKey(secrets, name, held);
    }
    if (add) await replaceFile(config, text);
    else {
      await writeFile(schema, jsonText(configSchema()));
      await writeFile(config, text, { flag: 'wx' });
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const says = `${config} and the files beside it cannot be written (${errno(cause)}): name a place that this user may write with --config.`;
    throw new UsageError(says, 'CONFIG_NOT_WRITTEN', cause);
  }
  const written = [config, secrets, add ? undefined : schema].filter((file) => file !== undefined);
  return { written, secrets };
}

const jsonText = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const secretName = (source: string) => `signage-export/${source}`;

/** Puts the key of a source into the file of keys. Throws UsageError SECRET_INVALID for another text. */
async function putKey(file: string, source: string, held: Readonly<Record<string, string>>): Promise<void> {
  parseSecret(held, 'What was given');
  await replaceFile(file, withValueAt(await readFile(file, 'utf8'), [secretName(source)], held));
}

/** Throws UsageError FILE_EXISTS if a file to write already exists; `key` is as in --key. */
function refuseFilesThere({ config, secrets, key }: Files & { readonly key?: string | undefined }): void {
  const ofKey = key === undefined || key === '-' ? { '--secrets': secrets ?? secretsNextTo(config) } : {};
  for (const [option, file] of Object.entries({ '--config': config, ...ofKey })) {
    if (!existsSync(file)) continue;
    const cure = `add a source with init --add, edit it, or name another with ${option}`;
    throw new UsageError(`${file} is there already, so nothing is written: ${cure}.`, 'FILE_EXISTS');
  }
}
