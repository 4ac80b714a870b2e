import { sourceIfAny } from '../../config/config.ts';
import type { RunRecord } from '../../run/run-record.ts';
import { meaningType } from '../../schema/columns/asked-type.ts';
import { pathText } from '../../schema/columns/assign-names.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Question } from '../../sources/question.ts';
import type { ColumnSetting } from '../../sources/resource-settings.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { nearest } from '../../text.ts';
import { type ColumnOfSource, columnsOfSource } from './columns-of-source.ts';
import { MANY } from './compared.ts';
import { wordOf } from './value-traits.ts';

/** The questions about a source's settings that do nothing: they name a column or words that no record has. */
export function unusedSettings(
  schema: Schema,
  { source, record }: { readonly source: string; readonly record: RunRecord },
): readonly Question[] {
  const columns = columnsOfSource(schema, source, record.config);
  const { resources = {} } = sourceIfAny(record.config, source) ?? {};
  return Object.entries(resources).flatMap(([name, settings]) => {
    const resource = name as ResourceName;
    const own = columns.filter((each) => each.resource === resource);
    const unknown = unknownColumns(own, settings?.columns ?? {}).map((says) => ({
      ...{ code: 'COLUMN_UNKNOWN', source, resource, cures: [] },
      says: `resources.${resource}.columns has settings for ${says}`,
    }));
    return [...unknown, ...own.flatMap(unusedWords)];
  });
}

/** The columns of which no record of the source ever had one, if the table has records of it. */
function unknownColumns(
  own: readonly ColumnOfSource[],
  columns: Readonly<Record<string, ColumnSetting>>,
): readonly string[] {
  const names = own.map(({ name }) => name);
  if (names.length === 0) return [];
  const unknown = Object.keys(columns).filter(
    (name) => !names.includes(name) && columns[name]?.gone !== true,
  );
  return unknown.map((name) => {
    const near = nearest(name, names);
    const meant = near === undefined ? '' : `; the nearest name is ${near}`;
    return `${JSON.stringify(name)}, which no record has${meant}`;
  });
}

/** The meanings of words of which the records that were looked at have none. */
function unusedWords({ own, path, sampled, place, ask }: ColumnOfSource): readonly Question[] {
  const { values } = own ?? {};
  // Where the words mean numbers or flags, the others are misfits.
  if (values === undefined || meaningType(values) !== 'varchar') return [];
  const words = sampled?.traits[pathText(path.path)]?.flatMap((trait) => wordOf(trait) ?? []) ?? [];
  // One rare word may have a meaning of its own.
  const isRare = Object.keys(values).length < 2;
  if (isRare || words.length < MANY || words.some((word) => Object.hasOwn(values, word))) return [];
  const shown = [...new Set(words)].slice(0, 3).map((word) => JSON.stringify(word));
  const says = `None of ${words.length} values that were looked at has a meaning in the config, such as ${shown.join(' and ')}. The cells keep what they have`;
  const cure = { setting: `${place}.values`, choices: [], open: 'its present words and their meaning' };
  return [ask('COLUMN_UNKNOWN', says, [cure])];
}
