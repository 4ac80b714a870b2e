import type { ColumnType } from '../column-types.ts';
import type { RunRecord } from '../run/run-record.ts';
import { typeAskedIn } from '../schema/columns/asked-type.ts';
import type { AliasedPath } from '../schema/columns/give-aliases.ts';
import type { ColumnInRun } from './plan-paths.ts';

/** What the value is of each source of the config, by its name. */
export function bySource<Value>(
  { config }: RunRecord,
  value: (source: RunRecord['config']['sources'][number]) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(config.sources.map((source) => [source.name, value(source)]));
}

/**
 * What the config and the operator say of the column, by source. The config wins over `schema apply`.
 */
export function settingsOf(
  of: Pick<ColumnInRun, 'record' | 'table' | 'name'> & {
    /** The type by `schema apply`. */
    readonly appliedType: ColumnType | undefined;
    readonly paths: readonly Pick<AliasedPath, 'source' | 'plainName'>[];
  },
) {
  const { record, table, name, paths, appliedType } = of;
  const configured = bySource(record, (source) => {
    // A column may be named `constructor`.
    const columns = source.resources[table]?.columns ?? {};
    const plainName = paths.find((path) => path.source === source.name)?.plainName ?? name;
    return Object.hasOwn(columns, plainName) ? columns[plainName] : undefined;
  });
  return typeAskedIn(configured) !== undefined || appliedType === undefined
    ? configured
    : bySource(record, () => ({ type: appliedType }));
}
