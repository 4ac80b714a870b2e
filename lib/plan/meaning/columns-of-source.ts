import { type Config, sourceIfAny } from '../../config/config.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Cure, Question } from '../../sources/question.ts';
import type { ResourceName } from '../../sources/resources.ts';

export type ColumnOfSource = ReturnType<typeof columnsOfSource>[number];

/** The columns that a source fills, each once for each of its paths, with what the config says of it. */
export function columnsOfSource({ tables }: Schema, source: string, config?: Pick<Config, 'sources'>) {
  const { resources = {} } = (config && sourceIfAny(config, source)) ?? {};
  return Object.entries(tables).flatMap(([table, { columns, samples }]) => {
    const resource = table as ResourceName;
    const settings = resources[resource]?.columns ?? {};
    return columns.flatMap((column) =>
      column.paths
        .filter((path) => path.source === source)
        .map((path) => {
          const name = path.plainName ?? column.name;
          return {
            ...{ resource, columns, column, path, sampled: samples?.[source] },
            /** Its name without `as`. */
            name,
            /** The column's own settings, and their place below the source. */
            own: Object.hasOwn(settings, name) ? settings[name] : undefined,
            place: `resources.${table}.columns.${name}`,
            /** True where TYPE_MISFIT says why hardly a value fills the column. */
            isMisfit: column.drift.some((each) => each.source === source && each.code === 'TYPE_MISFIT'),
            ask: (code: string, says: string, cures: readonly Cure[]): Question => ({
              ...{ code, source, resource, column: column.name, says, cures },
            }),
          };
        }),
    );
  });
}
