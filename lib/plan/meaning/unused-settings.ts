import { sourceIfAny } from '../../config/config.ts';
import type { RunRecord } from '../../run/run-record.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Question } from '../../sources/question.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { nearest } from '../../text.ts';
import { columnsOfSource } from './columns-of-source.ts';

/**
 * The questions about a source's settings that do nothing: they name a column of which no record ever had one. A
 * table without records says nothing of them.
 */
export function unusedSettings(
  schema: Schema,
  { source, record }: { readonly source: string; readonly record: RunRecord },
): readonly Question[] {
  const columns = columnsOfSource(schema, source, record.config);
  const { resources = {} } = sourceIfAny(record.config, source) ?? {};
  return Object.entries(resources).flatMap(([table, settings]) => {
    const resource = table as ResourceName;
    const names = columns.flatMap((each) => (each.resource === resource ? [each.name] : []));
    const unknown = Object.entries(settings?.columns ?? {}).filter(
      ([name, { gone }]) => names.length > 0 && !names.includes(name) && gone !== true,
    );
    return unknown.map(([name]) => {
      const near = nearest(name, names);
      const meant = near === undefined ? '' : `; the nearest name is ${near}`;
      const says = `resources.${resource}.columns has settings for ${JSON.stringify(name)}, which no record has${meant}`;
      return { code: 'COLUMN_UNKNOWN', source, resource, says, cures: [] };
    });
  });
}
