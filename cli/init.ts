import type { Command } from 'commander';
import * as z from 'zod';
import { readConfig } from '#lib/config/parse-config.ts';
import { hasCode, instead } from '#lib/errors.ts';
import { KINDS, kindNamed } from '#lib/sources/kinds.ts';
import { decide } from './check.ts';
import { type CheckedConfig, checkConfig } from './check-config.ts';
import { type Answers, answersOf, askedKey, REQUIRED } from './init-answers.ts';
import { type FirstFiles, putKey, refuseFilesThere, writeFiles } from './init-files.ts';
import { commandOf, flag, text } from './options.ts';
import { nextCommand } from './program-name.ts';
import { note, say } from './say.ts';

export function addInit(command: Command): void {
  for (const { option, due } of REQUIRED) command.option(`${option} <value>`, due);
  commandOf(OPTIONS, async (options) => {
    // This comes before the first question, so that nobody answers all of them for nothing.
    const there = options.add ? (await readConfig(options.config)).sources : [];
    if (!options.add) refuseFilesThere(options);
    const settings = Object.fromEntries(
      REQUIRED.map(({ name }) => [name, z.string().optional().parse(command.opts()[name])]),
    );
    const answers = await answersOf({ ...options, settings, taken: there.map(({ name }) => name) });
    const files = await writeFiles(answers, options);
    if (!options.json) say(`Wrote ${files.written.join(', ')}.`);
    if (!options.check) return sayNext(files, options);
    if (!options.json) note(`\nAsking ${answers.url}${answers.settings['basePath'] ?? ''} …`);
    const own = { ...options, secrets: files.secrets ?? options.secrets, write: true, roles: false };
    const ask = () =>
      checkConfig(own).catch((error) => {
        // The files are written: the operator adds what is missing, and then continues here.
        sayNext(files, options);
        throw error;
      });
    let checked = await ask();
    while (isKeyRefused(checked, answers) && (await anotherKey(answers, files))) checked = await ask();
    const { listings, changes } = await decide(checked, own);
    if (options.json) say({ written: files.written, changes, listings });
  })(command);
}

const OPTIONS = {
  kind: text(
    '--kind <kind>',
    `${KINDS.map(({ kind }) => kind).join(' or ')}; a terminal is asked for what is left out`,
  ),
  url: text('--url <address>', 'the address of the API, such as https://signage.example.com:8443'),
  allowHttp: flag(
    '--allow-http',
    'accept an address with http://, over which anybody on the way reads the key',
  ),
  name: text('--name <name>', 'what the source is called in every table; the default is its kind'),
  key: text(
    '--key <place>',
    'where its key is: env:NAME, file:PATH, exec:COMMAND, or - for stdin; never the key itself',
  ),
  add: flag('--add', 'add a source to the config that is there'),
  check: flag('--no-check', 'only write the files'),
};

function isKeyRefused({ check }: CheckedConfig, { name }: Answers): boolean {
  const own = check.settled.filter(({ source, status }) => source === name && status !== null);
  return own.length > 0 && own.every(({ status }) => status === 401);
}

/** Replaces a key that the server refuses. False if nobody types one. */
async function anotherKey({ key, name, kind }: Answers, { secrets }: FirstFiles): Promise<boolean> {
  if ('place' in key || secrets === undefined) return false;
  note(`\nThe server answers 401: it refuses the ${key.form} of ${name} that is in ${secrets}.`);
  if (!process.stdin.isTTY) return false;
  const { askTerminal } = await import('./ask-terminal.ts');
  const forms = Object.keys(kindNamed(kind).secret);
  try {
    const { form, value } = await askedKey(askTerminal(), forms, 'Another');
    await putKey(secrets, name, { [form]: value });
    return true;
  } catch (error) {
    return instead(hasCode('CANCELLED'), false)(error);
  }
}

function sayNext(
  { secrets }: { readonly secrets: string | undefined },
  { config, json }: { readonly config: string; readonly json: boolean },
): void {
  if (!json) say(`\nNext:\n  ${nextCommand(['check'], { config, secrets })}`);
}
