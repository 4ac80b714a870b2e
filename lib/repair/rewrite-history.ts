import { UsageError } from '../errors.ts';
import { committedHead, type Head } from '../lake/head.ts';
import { writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import { withFiles } from '../lake/named-files.ts';
import { publish } from '../publish/publish.ts';
import { type Base, readBase } from '../run/base.ts';
import { lossText, lostCells } from '../run/history/lost-cells.ts';
import { holdLease } from '../run/keep-lease.ts';
import { type PublishedUnit, readPublishedUnits, writtenFiles } from '../run/published-unit.ts';
import { type RunRecord, readRunRecordIfAny, recordOf, writeRunRecord } from '../run/run-record.ts';
import { readSummary } from '../run/summary.ts';
import { type RewriteUnit, rewriteUnits, writeUnits } from '../run/unit.ts';
import type { AttemptName } from '../run-id.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { type Schema, writeSchema } from '../schema/schema.ts';
import { columnChanges } from '../schema/schema-changes.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import { commitAgain, type RepairServices, runAgain } from './run-again.ts';

/** The base of an attempt that rewrites history. */
export interface Rewriting {
  readonly base: Base;
  readonly record: RunRecord;
}

export interface RewriteHistory {
  /** The schema for all dates. */
  readonly schemaOf: (from: Rewriting) => Schema | Promise<Schema>;
  /** The schema of the dates after they are written. @default the same */
  readonly schemaAfter?: (schema: Schema) => Schema;
  /** Values that would be lost without their raw go to rejects. */
  readonly acceptLoss: boolean;
  /** What is written again. @default every date of each table that the schema reads or hides otherwise */
  readonly unitsOf?: () => Promise<readonly RewriteUnit[]>;
  /** Attempts with files that go with what is written again. */
  readonly unnamedOf?: (from: Rewriting) => Promise<readonly AttemptName[]>;
  /** What else the head says then. */
  readonly headOf?: (head: Omit<Head, 'released'>) => Omit<Head, 'released'>;
  /** The operator's types, by TABLE.COLUMN. */
  readonly types?: Head['types'];
}

/**
 * Writes dates of tables again, with one commit. Throws UsageError HISTORY_LOST if values without raw would
 * be lost, and what `schemaOf` throws.
 */
export async function rewriteHistory(services: RepairServices, wanted: RewriteHistory): Promise<Head> {
  const { lake, config } = services;
  const { head } = await committedHead(lake);
  const hadRecord = (await readRunRecordIfAny(lake, head.runId)) !== undefined;
  const earlier = await recordOf(lake, head, config);
  const committed = await commitAgain({ runId: head.runId, head }, services, async (taken) => {
    const baseHead = lakeKey('head');
    const record = runAgain({ record: earlier, taken, baseHead }, services);
    await using _lease = await holdLease(record, services);
    const base = await readBase(lake, record);
    const schema = await wanted.schemaOf({ base, record });
    if (!wanted.acceptLoss) await refuseLoss(schema, { base, services });
    await writeSchema(lake, lakeKey('schema', record), schema);
    const units = (await wanted.unitsOf?.()) ?? rewriteUnits(base, schema);
    await writeRunRecord(lake, record);
    const published = await publishUnits(units, { record, services });
    if (!wanted.acceptLoss) refuseAside(published);
    if (wanted.schemaAfter !== undefined)
      await writeSchema(lake, lakeKey('schema', record), wanted.schemaAfter(schema));
    await writeJson(lake, lakeKey('summary', record), await readSummary(lake, head));
    const { released: _, ...rest } = head;
    const next = {
      ...rest,
      attempt: record.attempt,
      committedAt: services.now().toISOString(),
      schema: lakeKey('schema', record),
      tables: withFiles(head.tables, writtenFiles(published, record), head.exportDate),
    };
    const unnamed = (await wanted.unnamedOf?.({ base, record })) ?? [];
    return { next: wanted.headOf?.(next) ?? next, unnamed, types: { ...head.types, ...wanted.types } };
  });
  // A run that lost its record with its raw answers gets no new one: nobody can make it again.
  if (!hadRecord) await lake.remove([lakeKey('runConfig', committed)]);
  return committed;
}

/** Throws UsageError HISTORY_LOST if values without raw would lose their cells. */
async function refuseLoss(
  schema: Schema,
  { base, services }: { readonly base: Base; readonly services: RepairServices },
): Promise<void> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  for (const table of RESOURCE_NAMES) {
    for (const change of columnChanges(base.schema, schema, table)) {
      const lost = await lostCells({ db, lake, base, table, change, areAll: false });
      const { name, type: to } = change.column;
      const command = change.hasNewKey ? 'schema new-mask-key' : undefined;
      if (lost.values > 0)
        throw new UsageError(`${lossText(`${table}.${name}`, { to, lost, command })}.`, 'HISTORY_LOST');
    }
  }
}

/** Throws UsageError HISTORY_LOST if values would lose their cells because a source's raw cannot be processed. */
function refuseAside(published: readonly PublishedUnit[]): void {
  const [first] = published.flatMap(({ history = [] }) => history).filter(({ lost }) => lost > 0);
  if (first === undefined) return;
  const { source, table, why, lost } = first;
  throw new UsageError(
    `The kept answers of ${source} for ${table} cannot be used (${why}), and ${lost} values of a day's cells would be lost. Nothing is changed. The same command with --accept-loss moves these values to rejects.`,
    'HISTORY_LOST',
  );
}

async function publishUnits(
  units: readonly RewriteUnit[],
  { record, services }: Pick<Rewriting, 'record'> & { readonly services: RepairServices },
): Promise<readonly PublishedUnit[]> {
  const { lake } = services;
  const attempt = { runId: record.runId, attempt: record.attempt };
  await writeUnits(lake, attempt, units);
  for (const unit of units.keys()) await publish({ ...attempt, unit }, services);
  return await readPublishedUnits(lake, attempt, units.length);
}
