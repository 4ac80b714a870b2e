import type { ColumnType } from '../column-types.ts';
import { putHead } from '../commit/put-head.ts';
import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import { writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import { withFiles } from '../lake/named-files.ts';
import { tableKeys } from '../lake/table-files.ts';
import { settingsOf } from '../plan/plan-column.ts';
import { publishUnit } from '../publish/publish.ts';
import { textOf, textsSql } from '../publish/recast-sql.ts';
import { type Base, readBase } from '../run/base.ts';
import { type PublishedUnit, readPublishedUnit, writtenFiles } from '../run/published-unit.ts';
import { type RunRecord, readRunRecord, writeRunRecord } from '../run/run-record.ts';
import { readSummary } from '../run/summary.ts';
import { writeUnits } from '../run/unit.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { type ColumnDecision, decideColumn } from '../schema/columns/decide-column.ts';
import { profileColumns } from '../schema/columns/profile-sql.ts';
import { type ColumnProfile, mergeProfiles } from '../schema/columns/value-classes.ts';
import { isInFiles, readSchema, type Schema, type SchemaColumn } from '../schema/schema.ts';
import type { ResourceName } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { withAttempt } from '../start/take-attempt.ts';
import { committedHead, runAgain, stillCommitted } from './run-again.ts';
import type { RepairServices } from './start-repair.ts';

export interface ApplyType {
  readonly table: ResourceName;
  readonly column: string;
  readonly type: ColumnType;
}

/**
 * Gives a column another type, in every committed file with one commit, and in all later runs. Values that the type
 * does not hold stand in rejects. Throws UsageError where there is no such column.
 */
export async function applyType(wanted: ApplyType, services: RepairServices): Promise<Head> {
  const { lake } = services;
  const { head } = await committedHead(lake);
  const record = await readRunRecord(lake, head.runId);
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
    await writeJson(lake, lakeKey('schema', again), schemaWith(base.schema, wanted, column, decision));
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

function columnOf(schema: Schema, { table, column }: ApplyType): SchemaColumn {
  const columns = schema.tables[table]?.columns ?? [];
  const found = columns.find(({ name }) => name === column);
  if (found !== undefined) return found;
  const known = columns.map(({ name }) => name).join(', ');
  throw new UsageError(
    `${table} has no column ${JSON.stringify(column)} of the API; it has ${known || 'none yet'}.`,
  );
}

interface Place {
  readonly base: Base;
  readonly record: RunRecord;
  readonly services: RepairServices;
}

/** How the column's values, as far as they are kept, are read as the type. */
async function decide({
  wanted,
  column,
  ...place
}: Place & { readonly wanted: ApplyType; readonly column: SchemaColumn }): Promise<ColumnDecision> {
  const { table, column: name, type } = wanted;
  return decideColumn({
    table,
    name,
    profiles: column.provisional ? {} : await retainedProfiles(table, column, place),
    locked: column,
    settings: settingsOf({ record: place.record, table, name, appliedType: type }),
    timeZones: Object.fromEntries(
      place.record.config.sources.map((source) => [source.name, source.timeZone]),
    ),
  });
}

/** What each source's retained values are, from their cells and from rejects. */
async function retainedProfiles(
  table: ResourceName,
  column: SchemaColumn,
  { base, services }: Place,
): Promise<Readonly<Record<string, ColumnProfile>>> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const profiles: Record<string, ColumnProfile> = {};
  for (const [date, files] of datesWith(base.head, table, column)) {
    const paths = await lake.localPaths(tableKeys(table, { date, ...files }));
    const reread = [{ column, from: column.type, newlyMasked: [] }];
    const texts = await textsSql({ base, services }, { table, rows: readParquet(paths), reread });
    for (const source of new Set(column.paths.map((path) => path.source))) {
      const relation = `(select * from (${texts}) where export_source = ${quoteLiteral(source)})`;
      const found = await profileColumns({ rows: db.rows, relation, columns: [textOf(0)] });
      const profile = found.columns.get(textOf(0));
      const earlier = profiles[source];
      if (profile !== undefined)
        profiles[source] = earlier === undefined ? profile : mergeProfiles(earlier, profile);
    }
  }
  return profiles;
}

function datesWith(head: Head | undefined, table: string, column: SchemaColumn) {
  const dates = Object.entries(head?.tables[table]?.dates ?? {});
  return dates.filter(([, files]) => isInFiles(column, files.run));
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

/** Writes every date of the table anew. */
async function publishDates(
  table: ResourceName,
  { base, record, services }: Place,
): Promise<readonly PublishedUnit[]> {
  const { lake } = services;
  const attempt = { runId: record.runId, attempt: record.attempt };
  const dates = Object.keys(base.head?.tables[table]?.dates ?? {});
  await writeUnits(
    lake,
    attempt,
    dates.map((date) => ({ kind: 'recast', date, tables: [table] })),
  );
  const published: PublishedUnit[] = [];
  for (const unit of dates.keys()) {
    await publishUnit({ ...attempt, unit }, services);
    published.push(await readPublishedUnit(lake, { ...attempt, unit }));
  }
  return published;
}
