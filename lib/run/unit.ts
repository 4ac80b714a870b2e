import * as z from 'zod';
import { OBJECTS_AT_ONCE, readState, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';
import type { Schema } from '../schema/schema.ts';
import { isWrittenAgain } from '../schema/schema-changes.ts';
import { sideBySide } from '../side-by-side.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import type { Base } from './base.ts';

const table = z.enum(RESOURCE_NAMES);
const names = z.array(z.string()).readonly();

/** One part of a resource's table: which sources' answers it publishes, and whose committed rows it carries over. */
const resourceUnit = z.object({
  kind: z.literal('resource'),
  table,
  part: z.number().int().nonnegative(),
  /** Hashes of the parents whose children these are, see lib/parent-hash.ts; without one, all. */
  range: z.object({ from: z.string(), to: z.string() }).readonly().exactOptional(),
  /** Sources with answers in this run, and the keys of their raw files. */
  collected: z
    .array(
      z
        .object({
          source: z.string(),
          raw: names,
          /** Whether all answers in these files count. */
          allCount: z.boolean(),
          /** Whether they are few and small records, see `madeCells`. */
          areFew: z.boolean(),
        })
        .readonly(),
    )
    .readonly(),
  /** Sources that this run did not call, or whose listing failed. All of their committed rows stay. */
  keepAll: names,
  /** Sources whose parents' listing failed. Committed rows stay where this run has no outcome for their parent. */
  keepUnlisted: names,
  /** True where a listing is published although it may not be whole. */
  inDoubt: z.boolean(),
});

/**
 * The tables that do not come from answers: outcomes, runs and schema_columns of this run, and what earlier runs of the
 * same date put into changes, rejects and runs. It is published last, for it says whom other units have set aside.
 */
const ledgerUnit = z.object({ kind: z.literal('ledger') });

/**
 * A date whose committed rows are written again, because a column is read or hidden in another way now, or a source is
 * purged or renamed: a table is the same function of its answers on all dates.
 */
const rewriteUnit = z.object({
  kind: z.literal('rewrite'),
  date: z.string(),
  tables: names,
  /** The source whose rows are left out. */
  without: z.string().exactOptional(),
  /** The source whose rows get another name. */
  renamed: z.object({ was: z.string(), name: z.string() }).readonly().exactOptional(),
  /** The run in whose name the files stand; without one, that of the attempt. */
  runId: z.string().exactOptional(),
});

const unitFile = z.discriminatedUnion('kind', [resourceUnit, ledgerUnit, rewriteUnit]);

export type ResourceUnit = Readonly<z.infer<typeof resourceUnit>>;
export type RewriteUnit = Readonly<z.infer<typeof rewriteUnit>>;
/** One piece of work of publish. */
export type Unit = Readonly<z.infer<typeof unitFile>>;

/** A unit by its number within an attempt, from 0. */
export interface UnitPlace extends Attempt {
  readonly unit: number;
}

/** What a unit is to publish. Throws STATE_CORRUPT. */
export async function readUnit(lake: Lake, { runId, attempt, unit }: UnitPlace): Promise<Unit> {
  return await readState(lake, lakeKey('unit', { runId, attempt, unit }), unitFile);
}

/** Leaves the units for publish, numbered by their place in the list. */
export async function writeUnits(
  lake: Lake,
  { runId, attempt }: Attempt,
  units: readonly Unit[],
): Promise<void> {
  await sideBySide(units, OBJECTS_AT_ONCE, (content, unit) =>
    writeJson(lake, lakeKey('unit', { runId, attempt, unit }), content),
  );
}

/** Every date of the tables in which a column is read or hidden in another way now. */
export function rewriteUnits(base: Base, schema: Schema): readonly RewriteUnit[] {
  const changed = RESOURCE_NAMES.filter((name) => isWrittenAgain(base.schema, schema, name));
  return unitsOfDates(
    changed.flatMap((name) =>
      Object.keys(base.head?.tables[name]?.dates ?? {}).map((date) => ({ table: name, date })),
    ),
  );
}

/** A date of a table that is written again, and the run in whose name its file stands. */
interface RewrittenDate extends Pick<RewriteUnit, 'date' | 'runId'> {
  readonly table: string;
}

/** The units that write such dates of tables again, one for each date and run. */
export function unitsOfDates(
  dates: readonly RewrittenDate[],
  more: Pick<RewriteUnit, 'without' | 'renamed'> = {},
): readonly RewriteUnit[] {
  const groups = Map.groupBy(dates, ({ date, runId }) => `${date} ${runId}`);
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map(({ table: _, ...place }) => ({
      kind: 'rewrite',
      ...place,
      tables: same.map(({ table: name }) => name),
      ...more,
    })),
  );
}
