import { UsageError } from '../errors.ts';
import { committedHead, type Head } from '../lake/head.ts';
import { missingFiles, type NamedFiles, tableKeys } from '../lake/named-files.ts';
import { settingsOf } from '../plan/column-settings.ts';
import { decided, maskedSources } from '../plan/plan-column.ts';
import { shownRows } from '../publish/shown-rows.ts';
import { openMasks, withMaskKey } from '../run/history/masks.ts';
import { retainedProfiles } from '../run/history/retained-profiles.ts';
import type { OperationPreview, PreviewedOperation } from '../run/payloads.ts';
import { recordOf } from '../run/run-record.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { cellTextSql } from '../schema/cells/cell-text-sql.ts';
import { decideColumn } from '../schema/columns/decide-column.ts';
import { columnsInFiles, readSchema, type Schema, type SchemaColumn, valueType } from '../schema/schema.ts';
import { isWrittenAgain } from '../schema/schema-changes.ts';
import type { ResourceName } from '../sources/resources.ts';
import { quoteIdentifier, readParquet } from '../sql.ts';
import { extentOf, NO_CHANGES } from './extent-of.ts';
import { type Rewriting, rewriteHistory } from './rewrite-history.ts';
import type { RepairServices } from './run-again.ts';

type ApplyType = Omit<Extract<PreviewedOperation, { command: 'apply' }>, 'command'>;
/** A column, and the operator's type for it. */
type WantedType = Omit<ApplyType, 'acceptLoss'>;

/**
 * Sets another type for a column: in all committed files with one commit, and in all later runs. Values that
 * the type cannot hold go to rejects; those without raw only with `acceptLoss`. Throws UsageError if the column does not
 * exist.
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

/** The column. Throws UsageError if the API has no such column. */
function columnOf({ tables }: Schema, { table, column }: Pick<WantedType, 'table' | 'column'>): SchemaColumn {
  const columns = tables[table]?.columns ?? [];
  const found = columns.find(({ name }) => name === column);
  if (found !== undefined) return found;
  const known = columns.map(({ name }) => name).join(', ');
  throw new UsageError(
    `${table} has no column ${JSON.stringify(column)} of the API: name one of ${known || 'its columns once a run has found some'}.`,
  );
}

/** The schema with this type for the column. Kept values decide how they are read. Throws as `columnOf`. */
async function schemaWithType(
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
    settings: settingsOf({ record, table, name, paths: before.paths, appliedType: type }),
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
  change: { readonly table: ResourceName; readonly before: SchemaColumn; readonly after: SchemaColumn },
): Schema {
  const { table, before, after } = change;
  const tables = Object.entries(schema.tables).map(([each, { columns, ...rest }]) => [
    each,
    { ...rest, columns: each === table ? columns.map((one) => (one === before ? after : one)) : columns },
  ]);
  return { ...schema, tables: Object.fromEntries(tables) };
}

/**
 * What the type makes of the column's cells, in all dates with files; nothing is written. Throws UsageError
 * without such a column.
 */
export async function previewType(wanted: WantedType, services: RepairServices): Promise<OperationPreview> {
  const { lake } = services;
  const { table, column: name } = wanted;
  const { head } = await committedHead(lake);
  const record = await recordOf(lake, head, services.config);
  const base = { head, schema: await readSchema(lake, head.schema) };
  const schema = await schemaWithType(wanted, { base, record, services });
  const [before, after] = [columnOf(base.schema, wanted), columnOf(schema, wanted)];
  const isNew = before.provisional && !after.provisional;
  const cell = quoteIdentifier(name);
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  await openMasks(db, { schema, services, config: record.config });
  const read: NamedFiles[] = [];
  const cells = { days: 0, kept: 0, changed: 0, emptied: 0, filled: 0 };
  for (const [date, files] of Object.entries(head.tables[table]?.dates ?? {})) {
    if ((await missingFiles(lake, [{ table, date, ...files }])).length > 0) continue;
    cells.days += 1;
    read.push({ table, date, ...files });
    const isInFile = columnsInFiles(base.schema, table, files.run).has(name);
    if (!isInFile && !isNew) continue;
    const was = isInFile ? cellTextSql(cell, before.type) : 'null::varchar';
    const context = { db, services, record, base, schema, unit: 0, isAlone: true, scratch: scratch.path };
    const { rows } = await shownRows(context, { table, files: { date, ...files } });
    const stored = readParquet(await lake.localPaths(tableKeys(table, { date, ...files })));
    const [counts] = await db.rows(`
      -- grain: all records of a date
      select
        count(*) filter (was = will) as kept,
        count(*) filter (was <> will) as changed,
        count(*) filter (was is not null and will is null) as emptied,
        count(*) filter (was is null and will is not null) as filled
      from (select export_source, record_key, ${was} as was from ${stored})
      full join (select export_source, record_key, ${cellTextSql(cell, after.type)} as will from (${rows}))
        using (export_source, record_key)`);
    for (const count of ['kept', 'changed', 'emptied', 'filled'] as const)
      cells[count] += Number(counts?.[count]);
  }
  return { ...NO_CHANGES, rewritten: await extentOf(read, services), cells };
}
