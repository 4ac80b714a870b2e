import type { ColumnType } from '../column-types.ts';
import { UsageError } from '../errors.ts';
import { committedHead, type Head } from '../lake/head.ts';
import { settingsOf } from '../plan/column-settings.ts';
import { decided, maskedSources } from '../plan/plan-column.ts';
import { withMaskKey } from '../run/history/masks.ts';
import { retainedProfiles } from '../run/history/retained-profiles.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { decideColumn } from '../schema/columns/decide-column.ts';
import { readSchema, type Schema, type SchemaColumn, valueType } from '../schema/schema.ts';
import { isWrittenAgain } from '../schema/schema-changes.ts';
import type { ResourceName } from '../sources/resources.ts';
import { type Rewriting, rewriteHistory } from './rewrite-history.ts';
import type { RepairServices } from './run-again.ts';

export interface ApplyType extends WantedType {
  /** True: values that would be lost without their raw go to rejects. */
  readonly acceptLoss?: boolean;
}

/**
 * Sets another type for a column: in all committed files with one commit, and in all later runs. Values that
 * the type cannot hold go to rejects. Throws UsageError if the column does not exist.
 */
export async function applyType(wanted: ApplyType, services: RepairServices): Promise<Head> {
  const { head } = await committedHead(services.lake);
  columnOf(await readSchema(services.lake, head.schema), wanted);
  return await rewriteHistory(services, {
    acceptLoss: wanted.acceptLoss === true,
    schemaOf: (from) => schemaWithType(wanted, { ...from, services }),
    types: { [`${wanted.table}.${wanted.column}`]: wanted.type },
  });
}

/** A column, and the operator's type for it. */
export interface WantedType {
  readonly table: ResourceName;
  readonly column: string;
  readonly type: ColumnType;
}

/** The column. Throws UsageError if the API has no such column. */
export function columnOf(
  { tables }: Schema,
  { table, column }: Pick<WantedType, 'table' | 'column'>,
): SchemaColumn {
  const columns = tables[table]?.columns ?? [];
  const found = columns.find(({ name }) => name === column);
  if (found !== undefined) return found;
  const known = columns.map(({ name }) => name).join(', ');
  throw new UsageError(
    `${table} has no column ${JSON.stringify(column)} of the API: name one of ${known || 'its columns once a run has found some'}.`,
  );
}

/** The schema with this type for the column. Kept values decide how they are read. Throws as `columnOf`. */
export async function schemaWithType(
  wanted: WantedType,
  { base, record, services }: Rewriting & { readonly services: Services },
): Promise<Schema> {
  const { table, column: name, type } = wanted;
  const before = columnOf(base.schema, wanted);
  const { config } = record;
  await using scratch = await services.lake.scratch();
  using db = await openStageDb(services, scratch);
  const decision = decideColumn({
    table,
    name,
    profiles: await retainedProfiles({ db, lake: services.lake, base, table, column: before }),
    locked: { ...before, type: valueType(before) },
    ...settingsOf({ record, table, name, paths: before.paths, appliedType: type }),
    timeZones: Object.fromEntries(config.sources.map((source) => [source.name, source.timeZone])),
  });
  const { plainType: _, ...column } = before;
  const masked = maskedSources(config, { table, paths: before.paths, before });
  const after: SchemaColumn = {
    ...column,
    ...decided(decision, { before, masked, runId: record.runId }),
    drift: [],
  };
  const planned = schemaWith(base.schema, { table, before, after });
  // A column without a value is in no file. It comes with its first value, unless all files are written again now.
  const isInFiles = !before.provisional || isWrittenAgain(base.schema, planned, table);
  const schema = isInFiles
    ? planned
    : schemaWith(base.schema, { table, before, after: { ...after, provisional: true, since: null } });
  return await withMaskKey(schema, { committed: base.schema, services, config });
}

function schemaWith(
  schema: Schema,
  {
    table,
    before,
    after,
  }: Pick<WantedType, 'table'> & { readonly before: SchemaColumn; readonly after: SchemaColumn },
): Schema {
  const tables = Object.entries(schema.tables).map(([each, { columns, ...rest }]) => [
    each,
    { ...rest, columns: each === table ? columns.map((one) => (one === before ? after : one)) : columns },
  ]);
  return { ...schema, tables: Object.fromEntries(tables) };
}
