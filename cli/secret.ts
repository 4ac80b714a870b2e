import { existsSync } from 'node:fs';
import { isCancel, password } from '@clack/prompts';
import type { Command } from 'commander';
import * as z from 'zod';
import { putSecret } from '#lib/aws/secrets-manager.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { secretToPut } from '#lib/config/secrets.ts';
import { UsageError } from '#lib/errors.ts';
import { SECRET_FORMS } from '#lib/sources/kinds.ts';
import { readStdin } from './named-files.ts';
import { commandOf, option } from './options.ts';
import { tell } from './say.ts';

const KINDS = [...SECRET_FORMS, 'key', 'webhook'];

export function addSecret(command: Command): void {
  const put = command
    .command('put')
    .argument('<name>', 'as the config names it')
    .description('create or rotate a secret; a hidden prompt asks for its value, or it is read from stdin');
  const due = KINDS.join(', ');
  const kind = option('--kind <kind>', due, z.enum(KINDS, { error: `one of ${due}` }), 'apiKey');
  commandOf(put, { kind }, async ({ kind, json, config }, name = '') => {
    // This comes before the question for the value: a wrong config may name another key.
    const keyArn = await keyOfSecrets(config, put.getOptionValueSourceWithGlobals('config'));
    const given = await readValue(name);
    const value = secretToPut(given, { kind, where: `The value for ${JSON.stringify(name)}` });
    const done = await putSecret({ name, value: JSON.stringify(value), keyArn });
    tell({ json }, { name, kind, done }, `${name} is ${done}.`);
  });
}

/** The key of the config's secrets. A secret may be put before there is a config. */
async function keyOfSecrets(file: string, said: string | undefined): Promise<string | undefined> {
  if (said === 'default' && !existsSync(file)) return undefined;
  return (await readConfig(file)).secretsKmsKeyArn;
}

async function readValue(name: string): Promise<string> {
  if (!process.stdin.isTTY) return await readStdin();
  const typed = await password({ message: `Value of ${name}`, output: process.stderr });
  if (isCancel(typed)) throw new UsageError('No value was given, so the secret is unchanged.', 'CANCELLED');
  return typed.trim();
}
