import { UsageError } from '#lib/errors.ts';
import { type Head, readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { systemScratch } from '#lib/lake/system-scratch.ts';
import { type DuckDb, openDuckDb, type QueryResult } from '#lib/runtime/duckdb.ts';
import { readSchema, type Schema } from '#lib/schema/schema.ts';
import { quoteIdentifier } from '#lib/schema/sql.ts';
import { type LakeView, type LeftOut, viewsOf } from '#lib/views/lake-views.ts';
import { tableViews } from './table-views.ts';
import { readMacros, readViews } from './views.ts';

export interface Tables extends Disposable {
  readonly head: Head;
  readonly schema: Schema;
  readonly query: DuckDb['ask'];
  /** The views of queries/ that these tables can answer. */
  readonly views: readonly LakeView[];
  /** Those that they cannot, with what they miss. */
  readonly leftOut: readonly LeftOut[];
}

export type { QueryResult };

/** What a query may use; beyond it, it spills to the system's temporary folder: who asks may not write to the lake. */
const MEMORY_LIMIT_MIB = 1024;
const THREADS = 4;

/** The committed tables of a lake, ready to be asked. Throws UsageError where nothing is committed yet. */
export async function openTables(lake: Lake): Promise<Tables> {
  const stored = await readHead(lake);
  if (stored === undefined) {
    throw new UsageError(
      `${lake.name} has no tables yet: export with \`run\` first, or name another lake with --lake.`,
      'LAKE_EMPTY',
    );
  }
  const { head } = stored;
  const schema = await readSchema(lake, head.schema);
  const scratch = await systemScratch();
  const db = await openDuckDb({
    folders: [...lake.folders, scratch.path],
    spillTo: scratch.path,
    memoryLimitMiB: MEMORY_LIMIT_MIB,
    threads: THREADS,
  });
  for (const view of await tableViews(lake, head, schema)) await db.run(view);
  await db.run(await readMacros());
  const { views, leftOut } = viewsOf(await readViews(), schema, 'main');
  for (const { name, sql } of views) await db.run(`create view ${quoteIdentifier(name)} as ${sql}`);
  return {
    head,
    schema,
    query: db.ask,
    views,
    leftOut,
    [Symbol.dispose]: () => {
      db[Symbol.dispose]();
      void scratch[Symbol.asyncDispose]();
    },
  };
}
