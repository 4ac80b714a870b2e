import type { ColumnType } from '../column-types.ts';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import { maskedSources, settingsOf, typesOf } from '../plan/plan-column.ts';
import { retainedProfiles } from '../run/history/retained-profiles.ts';
import { type ColumnDecision, decideColumn } from '../schema/columns/decide-column.ts';
import { readSchema, type Schema, type SchemaColumn, valueType } from '../schema/schema.ts';
import type { ResourceName } from '../sources/resources.ts';
import { type Rewriting, rewriteHistory } from './rewrite-history.ts';
import { committedHead } from './run-again.ts';
import type { RepairServices } from './start-repair.ts';

export interface ApplyType {
  readonly table: ResourceName;
  readonly column: string;
  readonly type: ColumnType;
  /** True: values that would be lost, because their raw is gone, go to rejects. */
  readonly acceptLoss?: boolean;
}

/**
 * Gives a column another type: in all committed files with one commit, and in all later runs. Values that the type cannot
 * hold go to rejects. Throws UsageError if the column does not exist.
 */
export async function applyType(wanted: ApplyType, services: RepairServices): Promise<Head> {
  const { table, column: name } = wanted;
  columnOf(await readSchema(services.lake, (await committedHead(services.lake)).head.schema), wanted);
  return await rewriteHistory(services, {
    acceptLoss: wanted.acceptLoss === true,
    schemaOf: async ({ base, record }) => {
      const column = columnOf(base.schema, wanted);
      const decision = await decide({ wanted, column, base, record, services });
      return schemaWith(base.schema, { wanted, column, decision, config: record.config });
    },
    types: { [`${table}.${name}`]: wanted.type },
  });
}

function columnOf(schema: Schema, { table, column }: ApplyType): SchemaColumn {
  const columns = schema.tables[table]?.columns ?? [];
  const found = columns.find(({ name }) => name === column);
  if (found !== undefined) return found;
  const known = columns.map(({ name }) => name).join(', ');
  throw new UsageError(
    `${table} has no column ${JSON.stringify(column)} of the API: name one of ${known || 'its columns once a run has found some'}.`,
  );
}

/** Decides how the kept values of the column are read as the type. */
async function decide({
  wanted,
  column,
  ...place
}: Rewriting & {
  readonly services: RepairServices;
  readonly wanted: ApplyType;
  readonly column: SchemaColumn;
}): Promise<ColumnDecision> {
  const { table, column: name, type } = wanted;
  return decideColumn({
    table,
    name,
    profiles: column.provisional ? {} : await retainedProfiles({ ...place, table, column }),
    locked: { ...column, type: valueType(column) },
    settings: settingsOf({ record: place.record, table, name, appliedType: type }),
    timeZones: Object.fromEntries(
      place.record.config.sources.map((source) => [source.name, source.timeZone]),
    ),
  });
}

function schemaWith(
  schema: Schema,
  {
    wanted: { table, column: name },
    column: { plainType: _, ...column },
    decision,
    config,
  }: {
    readonly wanted: ApplyType;
    readonly column: SchemaColumn;
    readonly decision: ColumnDecision;
    readonly config: Config;
  },
): Schema {
  const before = schema.tables[table];
  if (before === undefined) return schema;
  const { type, readings } = decision;
  const masked = maskedSources(config, { table, paths: column.paths, before: column });
  const after: SchemaColumn = {
    ...column,
    ...typesOf(type, masked),
    readings: { ...column.readings, ...readings },
    questions: decision.questions,
    drift: [],
  };
  const columns = before.columns.map((each) => (each.name === name ? after : each));
  return { ...schema, tables: { ...schema.tables, [table]: { ...before, columns } } };
}
