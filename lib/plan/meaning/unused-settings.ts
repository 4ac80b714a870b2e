import { sourceIfAny } from '../../config/config.ts';
import type { RunRecord } from '../../run/run-record.ts';
import { meaningType } from '../../schema/columns/asked-type.ts';
import { pathText } from '../../schema/columns/assign-names.ts';
import type { Schema, TableSchema } from '../../schema/schema.ts';
import type { Question } from '../../sources/question.ts';
import type { ColumnSetting } from '../../sources/resource-settings.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { nearest } from '../../text.ts';
import { MANY } from './compared.ts';
import { wordOf } from './value-traits.ts';

interface Settings {
  readonly source: string;
  readonly resource: ResourceName;
  readonly table: TableSchema;
  readonly columns: Readonly<Record<string, ColumnSetting>>;
}

/** The questions about a source's settings that do nothing: they name a column or words that no record has. */
export function unusedSettings(
  schema: Schema,
  { source, record }: { readonly source: string; readonly record: RunRecord },
): readonly Question[] {
  const { resources = {} } = sourceIfAny(record.config, source) ?? {};
  return Object.entries(resources).flatMap(([name, settings]) => {
    const table = schema.tables[name];
    if (table === undefined || settings === undefined) return [];
    const all = { source, resource: name as ResourceName, table, columns: settings.columns };
    return [...unknownColumns(all), ...unusedWords(all)];
  });
}

/** The columns of which no record of the source ever had one, if the table has records of it. */
function unknownColumns({ source, resource, table, columns }: Settings): readonly Question[] {
  const names = table.columns.flatMap(({ name, paths }) =>
    paths.filter((path) => path.source === source).map(({ plainName = name }) => plainName),
  );
  if (names.length === 0) return [];
  const unknown = Object.keys(columns).filter(
    (name) => !names.includes(name) && columns[name]?.gone !== true,
  );
  return unknown.map((name) => {
    const near = nearest(name, names);
    const meant = near === undefined ? '' : `; the nearest name is ${near}`;
    return {
      code: 'COLUMN_UNKNOWN',
      source,
      resource,
      says: `resources.${resource}.columns has settings for ${JSON.stringify(name)}, which no record has${meant}`,
      cures: [],
    };
  });
}

/** The meanings of words of which the records that were looked at have none. */
function unusedWords({ source, resource, table, columns }: Settings): readonly Question[] {
  return table.columns.flatMap((column) =>
    column.paths.flatMap((path): readonly Question[] => {
      const name = path.plainName ?? column.name;
      const { values } = (Object.hasOwn(columns, name) ? columns[name] : undefined) ?? {};
      // Where the words mean numbers or flags, the others are misfits.
      if (path.source !== source || values === undefined || meaningType(values) !== 'varchar') return [];
      const traits = table.samples?.[source]?.traits[pathText(path.path)] ?? [];
      const words = traits.flatMap((trait) => wordOf(trait) ?? []);
      // One rare word may have a meaning of its own.
      const isRare = Object.keys(values).length < 2;
      if (isRare || words.length < MANY || words.some((word) => Object.hasOwn(values, word))) return [];
      const shown = [...new Set(words)].slice(0, 3).map((word) => JSON.stringify(word));
      return [
        {
          code: 'COLUMN_UNKNOWN',
          source,
          resource,
          column: column.name,
          says: `None of ${words.length} values that were looked at has a meaning in the config, such as ${shown.join(' and ')}. The cells keep what they have`,
          cures: [
            {
              setting: `resources.${resource}.columns.${name}.values`,
              choices: [],
              open: 'its present words and their meaning',
            },
          ],
        },
      ];
    }),
  );
}
