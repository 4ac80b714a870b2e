import type { Command } from 'commander';
import { readConfig } from '#lib/config/parse-config.ts';
import { configSchema } from './config-schema.ts';
import { commandOf } from './options.ts';
import { say, tell } from './say.ts';

export function addConfig(command: Command): void {
  const validate = command
    .command('validate')
    .description('say every mistake of the config at once; nothing is called');
  commandOf(validate, {}, async ({ config, json }) => {
    const { name, sources } = await readConfig(config);
    const named = sources.map((source) => `${source.name} (${source.kind})`).join(', ');
    tell(
      { json },
      { valid: true, name, sources: sources.map((source) => source.name) },
      `${config} is right: ${name} has the sources ${named}. To see whether they answer, run \`check\`.`,
    );
  });
  command
    .command('schema')
    .description('write the JSON schema of a config to stdout: what "$schema" in the config names')
    .action(() => say(JSON.stringify(configSchema(), null, 2)));
}
