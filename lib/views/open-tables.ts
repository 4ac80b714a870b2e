import { availableParallelism, totalmem } from 'node:os';
import type { DamagedTable } from '../lake/damaged-file.ts';
import { systemScratch } from '../lake/folder/system-scratch.ts';
import { committedHead, type Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { refuseOtherLake } from '../lake/marker.ts';
import { type DuckDb, openDuckDb, type QueryResult } from '../runtime/duckdb.ts';
import { readSchema, type Schema } from '../schema/schema.ts';
import { KINDS, type SourceKind } from '../sources/kinds.ts';
import { quoteIdentifier } from '../sql.ts';
import { daysBefore } from '../time.ts';
import { createView, createViews, faultIn, viewStatements } from './create-views.ts';
import { type FetchedWhenRead, fetchedWhenRead } from './fetched-when-read.ts';
import { askedKinds, hasGaps, TABLES_OF_GAPS } from './gaps.ts';
import type { LakeView } from './lake-views.ts';
import { neededBy } from './needed-by.ts';
import { QUERIES } from './queries.ts';
import { type TableViewsOptions, tableViews } from './table-views.ts';

export interface Tables extends Disposable {
  readonly head: Head;
  readonly schema: Schema;
  /** The first `export_date` in the tables of days, except `runs`; empty = all. */
  readonly since: string;
  readonly query: DuckDb['ask'];
  /** Runs statements, for rows of the reader's own. */
  readonly run: (sql: string) => Promise<unknown>;
  /** Computes the rows of these views once, for several queries. A view that fails stays as it is. */
  readonly keep: (names: readonly string[]) => Promise<void>;
  /** The views of queries/ that these tables can answer. */
  readonly views: readonly LakeView[];
  /** The views that they cannot answer, because a file is damaged or missing. */
  readonly leftOut: readonly LeftOut[];
  /** The kinds of APIs without a source in the newest runs: their tables and views have no rows. */
  readonly unasked: readonly SourceKind[];
  /** Tables with a damaged or missing file: a query of one throws DamagedTable, the others answer. */
  readonly broken: readonly BrokenTable[];
}

export interface LeftOut {
  readonly name: string;
  readonly missing: readonly { readonly column: string; readonly reason: string }[];
}

export interface BrokenTable {
  readonly name: string;
  /** The file and the cure. */
  readonly message: string;
  /** The date of the file; null if it belongs to no date. */
  readonly date: string | null;
}

export type { QueryResult };

/** The machine's, or the container's if that has less. */
const MEMORY = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
/**
 * A quarter of the memory. The rest goes to the system's temporary folder, because a reader may have no right
 * to write to the lake. Figures of 100,000 players take twice the time in 1 GiB.
 */
export const MEMORY_LIMIT_MIB = Math.max(1024, Math.min(4096, Math.floor(MEMORY / 2 ** 22)));
const THREADS = Math.max(4, availableParallelism());

/** `head` is the commit to open, the newest by default. On S3 each opened file is fetched. */
export interface OpenOptions extends Partial<Omit<TableViewsOptions, 'schema'>> {
  /** The folder of the views. @default the repository's */
  readonly queries?: URL;
  /** What DuckDB may use. @default a quarter of the machine's memory, 1 to 4 GiB */
  readonly memoryLimitMiB?: number;
  /** A folder for files of the reader's own. @default none */
  readonly folder?: string;
  /** The query to come: only the tables that it needs are opened. @default all */
  readonly sql?: string;
  /** The longest time of a query. @default unlimited */
  readonly limitSeconds?: number;
}

const QUARTER_DAYS = 91;

/** The date a quarter of a year before: the page shows this time, and a lake's health comes from it. */
export function quarterBefore(exportDate: string): string {
  return daysBefore(exportDate, QUARTER_DAYS);
}

/** The committed tables of a lake, opened for queries. Throws UsageError LAKE_EMPTY before the first commit. */
export async function openTables(
  lake: Lake,
  {
    queries = QUERIES,
    since = '',
    sql: wanted,
    limitSeconds,
    memoryLimitMiB = MEMORY_LIMIT_MIB,
    folder,
    head: wantedHead,
    ...opened
  }: OpenOptions = {},
): Promise<Tables> {
  const head = wantedHead ?? (await committedHead(lake)).head;
  await refuseOtherLake(lake, head);
  const schema = await readSchema(lake, head.schema);
  const scratch = await systemScratch();
  const db = await openDuckDb({
    folders: [...lake.folders, scratch.path, ...(folder === undefined ? [] : [folder])],
    spillTo: scratch.path,
    memoryLimitMiB,
    threads: THREADS,
  });
  const files = wanted !== undefined && lake.copies ? fetchedWhenRead(lake, scratch.path) : undefined;
  const reading: FetchedWhenRead['reading'] = files?.reading ?? ((step) => step());
  const ask: DuckDb['ask'] = (sql) => reading(() => db.ask(sql, limitSeconds));
  const all = tableViews(files ?? lake, { ...opened, head, schema, since });
  const isNeeded = wanted === undefined ? () => true : await neededBy(wanted, queries);
  // Each answer says what is not known. `outcomes` knows it; its days and runs are read if there is any.
  const tables = all.filter(({ name }) => isNeeded(name) || name === 'outcomes');
  const statements = await viewStatements({ tables, queries, schema, isNeeded });
  const { broken, views, without } = await createViews(db, statements);
  const ofGaps = all.filter((each) => TABLES_OF_GAPS.includes(each.name) && !tables.includes(each));
  if (ofGaps.length > 0 && !broken.has('outcomes') && (await hasGaps(ask)))
    for (const { name, sql } of ofGaps) await db.run(createView(name, await sql()));
  const asked = broken.has('outcomes') ? undefined : await askedKinds(ask);
  return {
    head,
    schema,
    since,
    query: async (sql) => {
      try {
        return await ask(sql);
      } catch (error) {
        throw faultIn(error, broken) ?? error;
      }
    },
    run: (sql) => reading(() => db.run(sql)),
    keep: async (names) => {
      for (const name of names) await keepRows(db, name);
    },
    views: views.filter(({ name }) => !broken.has(name)),
    leftOut: without.map(({ name, table }) => ({
      name,
      missing: [{ column: table, reason: 'one of its files is damaged or missing' }],
    })),
    unasked: KINDS.map(({ kind }) => kind).filter((kind) => asked?.has(kind) === false),
    broken: tables.flatMap(({ name }) => {
      const error = broken.get(name);
      return error === undefined ? [] : [brokenTable(name, error)];
    }),
    [Symbol.dispose]: () => {
      db[Symbol.dispose]();
      void scratch[Symbol.asyncDispose]();
    },
  };
}

/** A temporary table has precedence over the view of its name. */
async function keepRows(db: DuckDb, name: string): Promise<void> {
  const view = quoteIdentifier(name);
  try {
    await db.run(`create temp table if not exists ${view} as from main.${view}`);
  } catch {
    // The query that reads it reports the fault.
  }
}

/** A table, or a query that needs it, with the error of its damaged file. */
export function brokenTable(name: string, { message, date }: DamagedTable): BrokenTable {
  return { name, message, date };
}
