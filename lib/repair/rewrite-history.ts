import { putHead } from '../commit/put-head.ts';
import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import { writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import { withFiles } from '../lake/named-files.ts';
import { publishUnit } from '../publish/publish.ts';
import { type Base, readBase } from '../run/base.ts';
import { lossText, lostCells } from '../run/history/lost-cells.ts';
import { withMaskKey } from '../run/history/masks.ts';
import { recordOf } from '../run/history/record-of.ts';
import { type PublishedUnit, readPublishedUnit, writtenFiles } from '../run/published-unit.ts';
import { type RunRecord, writeRunRecord } from '../run/run-record.ts';
import { readSummary } from '../run/summary.ts';
import { rewriteUnits, writeUnits } from '../run/unit.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { type Schema, writeSchema } from '../schema/schema.ts';
import { columnChanges } from '../schema/schema-changes.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import { withAttempt } from '../start/take-attempt.ts';
import { committedHead, runAgain, stillCommitted } from './run-again.ts';
import type { RepairServices } from './start-repair.ts';

/** What an attempt that rewrites history builds upon. */
export interface Rewriting {
  readonly base: Base;
  readonly record: RunRecord;
}

export interface RewriteHistory {
  /** The schema by which all dates are to be read. */
  readonly schemaOf: (from: Rewriting) => Schema | Promise<Schema>;
  /** Values that would be lost, for their raw is gone, go to rejects. */
  readonly acceptLoss: boolean;
  /** True: masks are made by the key of now, whichever made them before. @default false */
  readonly takesNewKey?: boolean;
  /** What the operator said of types, by TABLE.COLUMN. */
  readonly types?: Head['types'];
}

/**
 * Writes every date of each table whose columns another schema reads or hides in another way, with one commit. Throws
 * UsageError HISTORY_LOST where values whose raw is gone would be lost, and what `withMaskKey` throws.
 */
export async function rewriteHistory(services: RepairServices, wanted: RewriteHistory): Promise<Head> {
  const { lake, config } = services;
  const { head } = await committedHead(lake);
  const earlier = await recordOf(lake, head, config);
  return await withAttempt(head.runId, services, async (taken) => {
    const current = stillCommitted(taken, head);
    const baseHead = lakeKey('head');
    const record = runAgain({ record: earlier, taken, baseHead, config, now: services.now() });
    await writeRunRecord(lake, record);
    const base = await readBase(lake, record);
    const committed = wanted.takesNewKey === true ? undefined : base.schema;
    const planned = await wanted.schemaOf({ base, record });
    const schema = await withMaskKey(planned, { committed, services, config: record.config });
    if (!wanted.acceptLoss) await refuseLoss(schema, { base, services });
    await writeSchema(lake, lakeKey('schema', record), schema);
    const published = await publishDates(schema, { base, record, services });
    await writeJson(lake, lakeKey('summary', record), await readSummary(lake, head));
    const { released: _, ...rest } = head;
    return await putHead(services, {
      current,
      next: {
        ...rest,
        attempt: record.attempt,
        committedAt: services.now().toISOString(),
        schema: lakeKey('schema', record),
        tables: withFiles(head.tables, writtenFiles(published, record), head.exportDate),
      },
      lease: taken,
      abandoned: taken.abandoned,
      rawRetentionDays: config.rawRetentionDays,
      types: { ...head.types, ...wanted.types },
    });
  });
}

/** Throws UsageError HISTORY_LOST where values whose raw is gone would lose their cells. */
async function refuseLoss(
  schema: Schema,
  { base, services }: { readonly base: Base; readonly services: RepairServices },
): Promise<void> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  for (const table of RESOURCE_NAMES) {
    for (const change of columnChanges(base.schema, schema, table)) {
      const lost = await lostCells({ db, lake, base, table, change });
      const { name, type: to } = change.column;
      const command = change.hasNewKey ? 'schema new-mask-key' : undefined;
      if (lost.values > 0)
        throw new UsageError(`${lossText(`${table}.${name}`, { to, lost, command })}.`, 'HISTORY_LOST');
    }
  }
}

/** Writes every date of the tables that are read in another way anew. */
async function publishDates(
  schema: Schema,
  { base, record, services }: Rewriting & { readonly services: RepairServices },
): Promise<readonly PublishedUnit[]> {
  const { lake } = services;
  const attempt = { runId: record.runId, attempt: record.attempt };
  const units = rewriteUnits(base, schema);
  await writeUnits(lake, attempt, units);
  const published: PublishedUnit[] = [];
  for (const unit of units.keys()) {
    await publishUnit({ ...attempt, unit }, services);
    published.push(await readPublishedUnit(lake, { ...attempt, unit }));
  }
  return published;
}
