import * as z from 'zod';
import { OBJECTS_AT_ONCE, readState, writeJson } from '../lake/json-object.ts';
import { type KeyFields, lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { NamedFiles } from '../lake/named-files.ts';
import { type Attempt, parseAttemptName } from '../run-id.ts';
import { removed } from '../schema/removed.ts';
import type { Schema } from '../schema/schema.ts';
import { isWrittenAgain } from '../schema/schema-changes.ts';
import { sideBySide } from '../side-by-side.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import type { Base } from './base.ts';

const table = z.enum(RESOURCE_NAMES);
const names = z.array(z.string()).readonly();

/** One part of a resource's table: the sources that it publishes, and those that it carries over. */
const resourceUnit = z.object({
  kind: z.literal('resource'),
  table,
  part: z.number().int().nonnegative(),
  /** Hashes of the children's parents, see lib/parent-hash.ts; without it, all. */
  range: z.object({ from: z.string(), to: z.string() }).readonly().exactOptional(),
  /** Sources with answers in this run, those with most first, and the keys of their raw files. */
  collected: z
    .array(
      z
        .object({
          source: z.string(),
          raw: names,
          /** True where all answers in these files count. */
          allCount: z.boolean(),
          /** True where the records are few and small, see `madeCells`. */
          areFew: z.boolean(),
        })
        .readonly(),
    )
    .readonly(),
  /** Uncalled sources, and those with a failed listing. All of their committed rows stay. */
  keepAll: names,
  /** Sources with a failed listing of parents. Committed rows stay where their parent has no outcome now. */
  keepUnlisted: names,
  /** True where a listing is published although it may not be whole. */
  inDoubt: z.boolean(),
});

/**
 * The tables about the run: outcomes, runs and schema_columns. It also keeps what earlier runs of the date
 * put into changes, rejects and runs. It comes last, because it names the sources that other units set aside.
 */
const ledgerUnit = z.object({ kind: z.literal('ledger') });

/**
 * A date with committed rows that are written again. The reason: a column is now read or hidden differently,
 * or something is purged, or a source renamed. So a table is the same function of its answers on all dates.
 */
const rewriteUnit = z.object({
  kind: z.literal('rewrite'),
  date: z.string(),
  tables: names,
  /** What to leave out. */
  without: removed.exactOptional(),
  /** The source with a new name. */
  renamed: z.object({ was: z.string(), name: z.string() }).readonly().exactOptional(),
  /** The run in the files' names; without one, that of the attempt. */
  runId: z.string().exactOptional(),
});

const unitFile = z.discriminatedUnion('kind', [resourceUnit, ledgerUnit, rewriteUnit]);

export type ResourceUnit = Readonly<z.infer<typeof resourceUnit>>;
export type RewriteUnit = Readonly<z.infer<typeof rewriteUnit>>;
/** One piece of work of publish. */
export type Unit = Readonly<z.infer<typeof unitFile>>;

/** A unit by its number within an attempt, from 0. */
export type UnitPlace = KeyFields<'unit'>;

/** The unit at this place. Throws STATE_CORRUPT. */
export async function readUnit(lake: Lake, place: UnitPlace): Promise<Unit> {
  return await readState(lake, lakeKey('unit', place), unitFile);
}

/** Writes the units for publish, numbered by their place in the list. */
export async function writeUnits(
  lake: Lake,
  { runId, attempt }: Attempt,
  units: readonly Unit[],
): Promise<void> {
  await sideBySide(units, OBJECTS_AT_ONCE, (content, unit) =>
    writeJson(lake, lakeKey('unit', { runId, attempt, unit }), content),
  );
}

/** Every date of the tables with a column that is now read or hidden differently. */
export function rewriteUnits(base: Base, schema: Schema): readonly RewriteUnit[] {
  const changed = RESOURCE_NAMES.filter((name) => isWrittenAgain(base.schema, schema, name));
  return unitsOfDates(
    changed.flatMap((name) =>
      Object.keys(base.head?.tables[name]?.dates ?? {}).map((date) => ({ table: name, date })),
    ),
  );
}

/** The units that rewrite these files, each under the name of the run that wrote it. */
export function unitsOfFiles(
  files: readonly NamedFiles[],
  more: Pick<RewriteUnit, 'without' | 'renamed'>,
): readonly RewriteUnit[] {
  const dates = files.map(({ table, date, run }) => ({ table, date, runId: parseAttemptName(run).runId }));
  return unitsOfDates(dates, more);
}

/** A date of a table that is written again, and the run in its file's name. */
interface RewrittenDate extends Pick<RewriteUnit, 'date' | 'runId'> {
  readonly table: string;
}

/** The units that rewrite these dates of tables, one for each date and run. */
function unitsOfDates(
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

/**
 * The most bytes of raw files for one unit. They unpack to about 512 MB of JSON, some 2 million records,
 * which take 20 of a Lambda's 900 seconds.
 */
export const UNIT_BYTES = 51_200_000;
/**
 * The most parts of one table. Three child tables make 768 units of 8 events each; the history of an
 * execution holds 25,000 events.
 */
const MAX_PARTS = 256;

/** Into how many parts a child table with this many bytes of raw is cut. */
export function partCount(rawBytes: number, unitBytes: number): number {
  return Math.max(1, Math.min(MAX_PARTS, Math.ceil(rawBytes / unitBytes)));
}
