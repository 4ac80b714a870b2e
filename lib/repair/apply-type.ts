import type { ColumnType } from '../column-types.ts';
import { putHead } from '../commit/put-head.ts';
import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import { writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import { withFiles } from '../lake/named-files.ts';
import { settingsOf } from '../plan/plan-column.ts';
import { publishUnit } from '../publish/publish.ts';
import { type Base, readBase } from '../run/base.ts';
import { lossText, lostCells } from '../run/history/lost-cells.ts';
import { recordOf } from '../run/history/record-of.ts';
import { retainedProfiles } from '../run/history/retained-profiles.ts';
import { type PublishedUnit, readPublishedUnit, writtenFiles } from '../run/published-unit.ts';
import { type RunRecord, writeRunRecord } from '../run/run-record.ts';
import { readSummary } from '../run/summary.ts';
import { writeUnits } from '../run/unit.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { type ColumnDecision, decideColumn } from '../schema/columns/decide-column.ts';
import { readSchema, type Schema, type SchemaColumn } from '../schema/schema.ts';
import { columnChanges } from '../schema/schema-changes.ts';
import type { ResourceName } from '../sources/resources.ts';
import { withAttempt } from '../start/take-attempt.ts';
import { committedHead, runAgain, stillCommitted } from './run-again.ts';
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
  const { lake } = services;
  const { head } = await committedHead(lake);
  const record = await recordOf(lake, head, services.config);
  const column = columnOf(await readSchema(lake, head.schema), wanted);
  return await withAttempt(head.runId, services, async (taken) => {
    const current = stillCommitted(taken, head);
    const again = runAgain({
      record,
      taken,
      baseHead: lakeKey('head'),
      config: services.config,
      now: services.now(),
    });
    await writeRunRecord(lake, again);
    const base = await readBase(lake, again);
    const decision = await decide({ wanted, column, base, record: again, services });
    const schema = schemaWith(base.schema, wanted, column, decision);
    if (wanted.acceptLoss !== true) await refuseLoss(wanted, { base, schema, services });
    await writeJson(lake, lakeKey('schema', again), schema);
    const published = await publishDates(wanted.table, { base, record: again, services });
    await writeJson(lake, lakeKey('summary', again), await readSummary(lake, head));
    const { released: _, ...rest } = head;
    return await putHead(services, {
      current,
      next: {
        ...rest,
        attempt: again.attempt,
        committedAt: services.now().toISOString(),
        schema: lakeKey('schema', again),
        tables: withFiles(head.tables, writtenFiles(published, again), head.exportDate),
      },
      lease: taken,
      abandoned: taken.abandoned,
      rawRetentionDays: services.config.rawRetentionDays,
      types: { ...head.types, [`${wanted.table}.${wanted.column}`]: wanted.type },
    });
  });
}

/** Throws UsageError HISTORY_LOST if values whose raw is gone would lose their cells. */
async function refuseLoss(
  { table, column: name, type }: ApplyType,
  { base, schema, services }: { readonly base: Base; readonly schema: Schema; readonly services: Services },
): Promise<void> {
  const change = columnChanges(base.schema, schema, table).find(({ column }) => column.name === name);
  if (change === undefined) return;
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const lost = await lostCells({ db, lake, base, table, change });
  if (lost.values > 0)
    throw new UsageError(`${lossText(`${table}.${name}`, { to: type, lost })}.`, 'HISTORY_LOST');
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

interface ApplyContext {
  readonly base: Base;
  readonly record: RunRecord;
  readonly services: RepairServices;
}

/** Decides how the kept values of the column are read as the type. */
async function decide({
  wanted,
  column,
  ...place
}: ApplyContext & { readonly wanted: ApplyType; readonly column: SchemaColumn }): Promise<ColumnDecision> {
  const { table, column: name, type } = wanted;
  return decideColumn({
    table,
    name,
    profiles: column.provisional ? {} : await retainedProfiles({ ...place, table, column }),
    locked: column,
    settings: settingsOf({ record: place.record, table, name, appliedType: type }),
    timeZones: Object.fromEntries(
      place.record.config.sources.map((source) => [source.name, source.timeZone]),
    ),
  });
}

function schemaWith(
  schema: Schema,
  { table, column: name }: ApplyType,
  column: SchemaColumn,
  decision: ColumnDecision,
): Schema {
  const before = schema.tables[table];
  if (before === undefined) return schema;
  const { type, readings } = decision;
  const after: SchemaColumn = {
    ...column,
    type,
    readings: { ...column.readings, ...readings },
    questions: decision.questions,
    drift: [],
  };
  const columns = before.columns.map((each) => (each.name === name ? after : each));
  return { ...schema, tables: { ...schema.tables, [table]: { ...before, columns } } };
}

/** Writes every date of the table again. */
async function publishDates(
  table: ResourceName,
  { base, record, services }: ApplyContext,
): Promise<readonly PublishedUnit[]> {
  const { lake } = services;
  const attempt = { runId: record.runId, attempt: record.attempt };
  const dates = Object.keys(base.head?.tables[table]?.dates ?? {});
  await writeUnits(
    lake,
    attempt,
    dates.map((date) => ({ kind: 'rewrite', date, tables: [table] })),
  );
  const published: PublishedUnit[] = [];
  for (const unit of dates.keys()) {
    await publishUnit({ ...attempt, unit }, services);
    published.push(await readPublishedUnit(lake, { ...attempt, unit }));
  }
  return published;
}
