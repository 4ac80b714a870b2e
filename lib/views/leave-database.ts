import { join } from 'node:path';
import { ExportError } from '../errors.ts';
import { type Head, readHead } from '../lake/head.ts';
import { lakeKey } from '../lake/keys.ts';
import { ConditionFailed, type Scratch } from '../lake/lake.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { readSchema } from '../schema/schema.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';
import { commentStatements } from './comments.ts';
import { createView, createViews } from './create-views.ts';
import { QUERIES } from './queries.ts';
import { tableViews } from './table-views.ts';
import { inOrderOfReading, readViews } from './view-file.ts';

/** The connection's name for the file while it makes or reads it. */
const NAME = 'lake_database';

/**
 * Makes a DuckDB file in the folder, with a view for each table and for each view of queries/. They are bound
 * to the head's files, which are opened for their columns. With `isStored` the views of queries/ are tables with their
 * rows. `lake_commit` names their commit. Returns the file's path, and the names of those with a damaged or missing
 * file, which are left out.
 */
export async function makeDatabase(
  services: Services,
  {
    head,
    scratch,
    isStored = false,
  }: { readonly head: Head; readonly scratch: Scratch; readonly isStored?: boolean },
): Promise<{ readonly path: string; readonly broken: readonly string[] }> {
  const { lake } = services;
  const schema = await readSchema(lake, head.schema);
  const path = join(scratch.path, 'lake.duckdb');
  using db = await openStageDb(services, scratch);
  await db.run(`attach ${quoteLiteral(path)} as ${NAME}`);
  try {
    await db.run(`use ${NAME}`);
    const tables = tableViews(lake, { head, schema });
    const also = createView('lake_commit', commitOf(head));
    const { broken, views } = await createViews(db, { tables, queries: QUERIES, schema, also });
    const stored = isStored ? inOrderOfReading(views).filter(({ name }) => !broken.has(name)) : [];
    for (const { name } of stored) await db.run(storeRows(name));
    const comments = commentStatements(await readViews(QUERIES), {
      schema,
      isThere: (name) => !broken.has(name),
      isStored,
    });
    await db.run(['begin', ...comments, 'commit'].join(';\n'));
    return { path, broken: [...broken.keys()] };
  } finally {
    await db.run('use memory');
    await db.run(`detach ${NAME}`);
  }
}

/** The statements that put a table with the rows of a view into its place, so that what reads the view reads the table. */
function storeRows(name: string): string {
  const [view, rows] = [quoteIdentifier(name), quoteIdentifier(`${name} rows`)];
  return `create table ${rows} as from ${view}; drop view ${view}; alter table ${rows} rename to ${view}`;
}

/** The SELECT of the one row of `lake_commit`. */
export function commitOf({ runId, attempt, committedAt, status }: Head): string {
  return `
    -- grain: the commit that the tables are of
    select
      ${quoteLiteral(runId)} as run_id,
      ${attempt} as attempt,
      cast(${quoteLiteral(committedAt.replace('T', ' ').replace('Z', ''))} as timestamp) as committed_at,
      ${quoteLiteral(status)} as status`;
}

/** Each lost race means that another process has put the file. So many mean that something else writes to it. */
const MOST_RACES = 5;

/**
 * Puts `lake.duckdb` into the lake: any DuckDB client that opens it finds the committed tables and the views.
 * A client with the previous file open keeps it. A writing client may have left a log next to that file; it
 * goes too. Returns what is left out of it, like `makeDatabase`. Throws LAKE_BUSY.
 */
export async function leaveDatabase(services: Services): Promise<readonly string[]> {
  const { lake } = services;
  const key = lakeKey('database');
  for (let races = 0; races < MOST_RACES; races += 1) {
    // This read comes before the head: a later commit puts another file, and a paused process must not overwrite it.
    const before = await lake.read(key);
    const head = (await readHead(lake))?.head;
    if (head === undefined) return [];
    await using scratch = await lake.scratch();
    const { path, broken } = await makeDatabase(services, { head, scratch });
    await lake.remove([lakeKey('databaseLog')]);
    try {
      await lake.moveIn(key, path, before === undefined ? { absent: true } : { match: before.etag });
      return broken;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new ExportError({
    code: 'LAKE_BUSY',
    message: `${lake.name}/${key} is written by another process again and again. End that process, then start again.`,
  });
}

/** Whether `lake.duckdb` is of this commit; false if another process writes to it or nobody can open it. */
export async function hasDatabaseOf(
  { runId, attempt }: Pick<Head, 'runId' | 'attempt'>,
  services: Services,
): Promise<boolean> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const [path = ''] = await lake.localPaths([lakeKey('database')]);
  try {
    await db.run(`attach ${quoteLiteral(path)} as ${NAME} (read_only)`);
  } catch {
    return false;
  }
  try {
    const [row] = await db.rows(`select run_id, attempt from ${NAME}.lake_commit`);
    return row?.['run_id'] === runId && Number(row['attempt']) === attempt;
  } finally {
    await db.run(`detach ${NAME}`);
  }
}
