import { existsSync } from 'node:fs';
import { isCancel, password } from '@clack/prompts';
import * as z from 'zod';
import { putSecret } from '#lib/aws/secrets-manager.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { secretToPut } from '#lib/config/secrets.ts';
import { UsageError } from '#lib/errors.ts';
import { SECRET_FORMS } from '#lib/sources/kinds.ts';
import { readStdin } from './named-files.ts';
import { commandOf, innerCommands, option, word } from './options.ts';
import { CONFIG } from './program-name.ts';
import { tell } from './say.ts';

const KINDS = [...SECRET_FORMS, 'key', 'webhook'];

const due = KINDS.join(', ');
const OPTIONS = {
  name: word('<name>', 'as the config names it'),
  kind: option('<kind>', due, z.enum(KINDS, { error: `one of ${due}` }), 'apiKey'),
};

const put = commandOf(OPTIONS, async ({ name, kind, json, config }) => {
  // This comes before the question for the value: a wrong config may name another key. There may be no config yet.
  const isFirst = config === CONFIG && !existsSync(config);
  const keyArn = isFirst ? undefined : (await readConfig(config)).secretsKmsKeyArn;
  const typed = process.stdin.isTTY
    ? await password({ message: `Value of ${name}`, output: process.stderr })
    : await readStdin();
  if (isCancel(typed)) throw new UsageError('No value was given, so the secret is unchanged.', 'CANCELLED');
  const value = secretToPut(typed.trim(), { kind, where: `The value for ${JSON.stringify(name)}` });
  const done = await putSecret({ name, value: JSON.stringify(value), keyArn });
  tell({ json }, { name, kind, done }, `${name} is ${done}.`);
});

export const addSecret = innerCommands({
  put: ['create or rotate a secret; a hidden prompt asks for its value, or it is read from stdin', put],
});
