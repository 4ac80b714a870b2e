import type { ColumnType } from '../column-types.ts';
import { sourceIfAny } from '../config/source-named.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { AliasedPath } from '../schema/columns/give-aliases.ts';
import type { Schema } from '../schema/schema.ts';
import type { Question } from '../sources/question.ts';
import type { ColumnSetting } from '../sources/resource-settings.ts';
import type { ResourceName } from '../sources/resources.ts';
import { nearest } from '../text.ts';

/** What the value is of each source of the config, by its name. */
export function bySource<Value>(
  { config }: RunRecord,
  value: (source: RunRecord['config']['sources'][number]) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(config.sources.map((source) => [source.name, value(source)]));
}

/**
 * What the config and the operator say of the column, by source. The config wins over `schema apply`, whose type
 * is confirmed: the operator saw what it empties.
 */
export function settingsOf({
  record,
  table,
  name,
  paths,
  appliedType,
}: {
  readonly record: RunRecord;
  readonly table: ResourceName;
  readonly name: string;
  /** The type by `schema apply`. */
  readonly appliedType: ColumnType | undefined;
  readonly paths: readonly Pick<AliasedPath, 'source' | 'plainName'>[];
}): {
  readonly settings: Readonly<Record<string, ColumnSetting | undefined>>;
  readonly isConfirmed: boolean;
} {
  const configured = bySource(record, (source) => {
    // A column may be named `constructor`.
    const columns = source.resources[table]?.columns ?? {};
    const plainName = paths.find((path) => path.source === source.name)?.plainName ?? name;
    return Object.hasOwn(columns, plainName) ? columns[plainName] : undefined;
  });
  if (isConfigured(configured) || appliedType === undefined)
    return { settings: configured, isConfirmed: false };
  return { settings: bySource(record, () => ({ type: appliedType })), isConfirmed: true };
}

/** True where a setting says how values are read. `as` alone says nothing of that. */
export const isConfigured = (settings: Readonly<Record<string, ColumnSetting | undefined>>) =>
  Object.values(settings).some(
    (setting) => setting !== undefined && (setting.type ?? setting.format ?? setting.values) !== undefined,
  );

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
    const unknown = Object.keys(settings?.columns ?? {}).filter((name) => !names.includes(name));
    return unknown.map((name) => {
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
