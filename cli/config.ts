import { readConfig } from '#lib/config/parse-config.ts';
import { configSchema } from './config-schema.ts';
import { commandOf, innerCommands } from './options.ts';
import { say, tell } from './say.ts';

const validate = commandOf({}, async ({ config, json }) => {
  const { name, sources } = await readConfig(config);
  const named = sources.map((source) => `${source.name} (${source.kind})`).join(', ');
  tell(
    { json },
    { valid: true, name, sources: sources.map((source) => source.name) },
    `${config} is right: ${name} has the sources ${named}. To see whether they answer, run \`check\`.`,
  );
});

export const addConfig = innerCommands({
  validate: ['say every mistake of the config at once; nothing is called', validate],
  schema: [
    'write the JSON schema of a config to stdout: what "$schema" in the config names',
    commandOf({}, () => say(JSON.stringify(configSchema(), null, 2))),
  ],
});
