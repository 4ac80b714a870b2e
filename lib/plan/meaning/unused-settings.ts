import { sourceIfAny } from '../../config/source-named.ts';
import type { RunRecord } from '../../run/run-record.ts';
import { meaningType } from '../../schema/columns/asked-type.ts';
import { pathText } from '../../schema/columns/assign-names.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Question } from '../../sources/question.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { nearest } from '../../text.ts';
import { MANY } from './compared.ts';
import { wordOf } from './value-traits.ts';

/** The questions about settings for columns that no record of the source ever had, in tables that have records of it. */
export function unknownColumns(
  schema: Schema,
  { source, record }: { readonly source: string; readonly record: RunRecord },
): readonly Question[] {
  const { resources = {} } = sourceIfAny(record.config, source) ?? {};
  return Object.entries(resources).flatMap(([table, settings]) => {
    const columns = schema.tables[table]?.columns ?? [];
    const names = columns.flatMap(({ name, paths }) =>
      paths.filter((path) => path.source === source).map(({ plainName = name }) => plainName),
    );
    if (names.length === 0) return [];
    const unknown = Object.entries(settings?.columns ?? {}).filter(
      ([name, { gone }]) => !names.includes(name) && gone !== true,
    );
    return unknown.map(([name]) => {
      const near = nearest(name, names);
      const meant = near === undefined ? '' : `; the nearest name is ${near}`;
      return {
        code: 'COLUMN_UNKNOWN',
        source,
        resource: table as ResourceName,
        says: `resources.${table}.columns has settings for ${JSON.stringify(name)}, which no record has${meant}`,
        cures: [],
      };
    });
  });
}

/** The questions about meanings in the config for words of which the records that were looked at have none. */
export function unusedWords(
  schema: Schema,
  { source, record }: { readonly source: string; readonly record: RunRecord },
): readonly Question[] {
  const { resources = {} } = sourceIfAny(record.config, source) ?? {};
  return Object.entries(resources).flatMap(([table, settings]) => {
    const { columns = [], samples } = schema.tables[table] ?? {};
    return columns.flatMap((column) =>
      column.paths.flatMap((path): readonly Question[] => {
        const name = path.plainName ?? column.name;
        const own = settings?.columns ?? {};
        const { values } = (Object.hasOwn(own, name) ? own[name] : undefined) ?? {};
        // Where the words mean numbers or flags, the others are misfits.
        if (path.source !== source || values === undefined || meaningType(values) !== 'varchar') return [];
        const traits = samples?.[source]?.traits[pathText(path.path)] ?? [];
        const words = traits.flatMap((trait) => wordOf(trait) ?? []);
        // One rare word may have a meaning of its own.
        const isRare = Object.keys(values).length < 2;
        if (isRare || words.length < MANY || words.some((word) => Object.hasOwn(values, word))) return [];
        const shown = [...new Set(words)].slice(0, 3).map((word) => JSON.stringify(word));
        return [
          {
            code: 'COLUMN_UNKNOWN',
            source,
            resource: table as ResourceName,
            column: column.name,
            says: `None of ${words.length} values that were looked at has a meaning in the config, such as ${shown.join(' and ')}. The cells keep what they have`,
            cures: [
              {
                setting: `resources.${table}.columns.${name}.values`,
                choices: [],
                open: 'its present words and their meaning',
              },
            ],
          },
        ];
      }),
    );
  });
}
