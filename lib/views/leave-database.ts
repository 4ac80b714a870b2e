import { hash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ExportError } from '../errors.ts';
import { type Head, readHead } from '../lake/head.ts';
import { readJson, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import { ConditionFailed, type Scratch } from '../lake/lake.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { readSchema } from '../schema/schema.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';
import { commentStatements } from './comments.ts';
import { createAtOnce, createViews, viewStatements } from './create-views.ts';
import { QUERIES } from './queries.ts';
import { type TableView, tableViews } from './table-views.ts';
import { inOrderOfReading, readViews } from './view-file.ts';

/** The connection's name for the file while it makes or reads it. */
const NAME = 'lake_database';

interface MakeDatabase {
  readonly head: Head;
  readonly scratch: Scratch;
  /** True: the views of queries/ are tables with their rows. @default false */
  readonly isStored?: boolean;
  /** The database of the commit before, and what `made` said of it. @default none */
  readonly before?: { readonly bytes: Uint8Array; readonly made: string };
}

/**
 * Makes a DuckDB file in the folder, with a view for each table and for each view of queries/. They are bound
 * to the head's files, which are opened for their columns. `lake_commit` names their commit. If the views of `before`
 * are the same, it puts the head's files below them, in a fifth of the time. `broken` are the tables and views that a
 * damaged or missing file leaves out. Databases for which `made` is the same differ in their files alone.
 */
export async function makeDatabase(services: Services, options: MakeDatabase) {
  const { head, scratch, isStored = false, before } = options;
  const { lake } = services;
  const schema = await readSchema(lake, head.schema);
  const path = join(scratch.path, 'lake.duckdb');
  const tables = [...tableViews(lake, { head, schema }), commitView(head)];
  const statements = await viewStatements({ tables, queries: QUERIES, schema });
  const files = await readViews(QUERIES);
  const sentences = (isThere: (name: string) => boolean) =>
    commentStatements(files, { schema, isThere, isStored });
  using db = await openStageDb(services, scratch);
  const [version] = await db.rows('select version() as duckdb');
  const made = hash('sha256', JSON.stringify([version, statements.lasting, sentences(() => true)]));
  if (before?.made === made) {
    const { bytes } = before;
    const isDone = await writeFile(path, bytes)
      .then(() => within(db, path, () => createAtOnce(db, statements)))
      .catch(() => false);
    if (isDone) return { path, broken: [], made };
    await rm(path, { force: true });
  }
  return await within(db, path, async () => {
    const { broken, views, isAtOnce } = await createViews(db, statements);
    const stored = isStored ? inOrderOfReading(views).filter(({ name }) => !broken.has(name)) : [];
    for (const { name } of stored) await db.run(storeRows(name));
    const comments = sentences((name) => !broken.has(name));
    await db.run(['begin', ...comments, 'commit'].join(';\n'));
    return { path, broken: [...broken.keys()], ...(isAtOnce && { made }) };
  });
}

/** Runs a step in the database of a file. */
async function within<Result>(db: DuckDb, path: string, step: () => Promise<Result>): Promise<Result> {
  await db.run(`attach ${quoteLiteral(path)} as ${NAME}; use ${NAME}`);
  try {
    return await step();
  } finally {
    await db.run(`use memory; detach ${NAME}`);
  }
}

/** `lake_commit` as one of the tables. */
function commitView(head: Head): TableView {
  const none: Head = { ...head, runId: '', attempt: 0, committedAt: '1970-01-01', status: 'failed' };
  return {
    name: 'lake_commit',
    sql: async () => commitOf(head),
    empty: `${commitOf(none)} limit 0`,
    columns: ['run_id VARCHAR', 'attempt INTEGER', 'committed_at TIMESTAMP', 'status VARCHAR'],
    damaged: async () => undefined,
  };
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
    // After a note that nobody can read, the database is made anew.
    const note = await readJson(lake, lakeKey('databaseNote'), databaseNote).catch(() => undefined);
    const isOurs = before !== undefined && note?.sum === hash('sha256', before.bytes);
    const { path, broken, made } = await makeDatabase(services, {
      head,
      scratch,
      ...(isOurs && { before: { bytes: before.bytes, made: note.made } }),
    });
    await lake.remove([lakeKey('databaseLog')]);
    if (made !== undefined)
      await writeJson(lake, lakeKey('databaseNote'), { made, sum: hash('sha256', await readFile(path)) });
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

/** What `lake.duckdb` was made of, and its sum: a client may have changed the file. */
const databaseNote = z.object({ made: z.string(), sum: z.string() });

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
