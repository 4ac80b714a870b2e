import * as z from 'zod';
import { configShape } from '#lib/config/config-shape.ts';
import { readConfig } from '#lib/config/parse-config.ts';
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

/** The file with the schema that `init` puts next to a config, which names it as `$schema`. */
export const SCHEMA_FILE = 'export.config.schema.json';

/** The JSON schema of a config: editors complete its settings and mark its mistakes with it. */
export function configSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(configShape, {
    target: 'draft-07',
    io: 'input',
    unrepresentable: 'any',
  });
  return { $schema, title: 'The config of signage-export', ...schema };
}
