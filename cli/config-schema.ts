import * as z from 'zod';
import { configShape } from '#lib/config/config-shape.ts';

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
