import { DamagedTable } from '../lake/damaged-file.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { NoTable, StatementFailed } from '../runtime/duckdb-errors.ts';
import type { Schema } from '../schema/schema.ts';
import { sideBySide } from '../side-by-side.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';
import { type LakeView, viewsOf } from './lake-views.ts';
import { readMacros } from './queries.ts';
import type { TableView } from './table-views.ts';
import { inOrderOfReading, readViews } from './view-file.ts';

/** Tables whose files are fetched at once, where the lake is remote. */
const FETCHED_AT_ONCE = 4;

export interface CreateViews {
  readonly tables: readonly TableView[];
  /** The folder of the views. */
  readonly queries: URL;
  readonly schema: Schema;
  /** Which of the views are created. @default all */
  readonly isNeeded?: (name: string) => boolean;
  /** A statement to be run with theirs. @default none */
  readonly also?: string;
}

export interface CreatedViews {
  readonly views: readonly LakeView[];
  /** Tables and views of which a file is damaged or missing, with the error. */
  readonly broken: ReadonlyMap<string, DamagedTable>;
  /** Those of them that are views, each with the table whose file it is. */
  readonly without: readonly { readonly name: string; readonly table: string | undefined }[];
}

/**
 * Creates the tables of a lake and the views of queries/ in the database that the connection uses: all at once where all
 * files are whole, which takes half of the time, else each by itself, which tells what is at fault. Throws LAKE_FULL.
 */
export async function createViews(
  db: DuckDb,
  { tables, queries, schema, isNeeded = () => true, also = '' }: CreateViews,
): Promise<CreatedViews> {
  const views = viewsOf(await readViews(queries), schema, 'main');
  const statements: Statements = {
    tables: await sideBySide(tables, FETCHED_AT_ONCE, async (table) => {
      const [select] = await Promise.allSettled([table.sql()]);
      return { ...table, select };
    }),
    macros: await readMacros(queries),
    views: inOrderOfReading(views).filter(({ name }) => isNeeded(name)),
    also,
  };
  const isDone = await createAtOnce(db, statements);
  return { views, ...(isDone ? { broken: new Map(), without: [] } : await createEach(db, statements)) };
}

interface Statements {
  readonly tables: readonly (TableView & { readonly select: PromiseSettledResult<string> })[];
  readonly macros: string;
  /** Each behind those that it reads. */
  readonly views: readonly LakeView[];
  readonly also: string;
}

/**
 * Creates all in one transaction. Each view is made over empty tables, so that no file is opened. It is made over stubs of
 * the views that it reads, so that DuckDB reads each SQL only twice. Then the real tables and views take their places.
 * False if nothing is made: a file is damaged, or a table has other columns. The types that a view keeps would be wrong.
 */
async function createAtOnce(db: DuckDb, { tables, macros, views, also }: Statements): Promise<boolean> {
  const isRead = ({ name }: LakeView) => views.some(({ reads }) => reads.has(name));
  const selects = tables.flatMap(({ name, select }) =>
    select.status === 'fulfilled'
      ? [`create or replace view ${quoteIdentifier(name)} as ${select.value}`]
      : [],
  );
  if (selects.length < tables.length) return false;
  const emptyTables = tables.map(({ name, empty }) => createView(name, empty));
  const [inner, outer] = [views.filter(isRead), views.filter((view) => !isRead(view))];
  const stubs = inner.map(({ name, sql }) => `create table ${quoteIdentifier(name)} as ${sql}\nwith no data`);
  const ownViews = [
    ...stubs,
    ...outer.map(({ name, sql }) => createView(name, sql)),
    ...inner
      .toReversed()
      .map(({ name, sql }) => `drop table ${quoteIdentifier(name)};\n${createView(name, sql)}`),
  ];
  await db.run('begin');
  try {
    await db.run([...emptyTables, macros, ...ownViews, ...selects, also].join(';\n'));
    if (await haveColumns(db, tables)) {
      await db.run('commit');
      return true;
    }
  } catch {
    // What is at fault is said where each is made by itself.
  }
  // A transaction that failed as it was written, for want of room say, has ended by itself.
  await db.run('rollback').catch(() => undefined);
  return false;
}

/** Whether each table has the columns and types that the schema says. */
async function haveColumns(db: DuckDb, tables: readonly TableView[]): Promise<boolean> {
  const each = tables.map(
    ({ name }) =>
      `select ${quoteLiteral(name)} as name, column_name || ' ' || column_type as said from (describe ${quoteIdentifier(name)})`,
  );
  // What duckdb_columns() says of them is asked of every view, DuckDB's own too, which takes several times as long.
  const made = await db.rows(`
    -- grain: table
    select name, list(said)::json::varchar as columns
    from (${each.join(' union all ')})
    group by name`);
  const columnsOf = new Map(made.map(({ name, columns }) => [name, new Set(JSON.parse(String(columns)))]));
  return tables.every(({ name, columns }) => {
    const found = columnsOf.get(name);
    return found?.size === columns.length && columns.every((column) => found.has(column));
  });
}

async function createEach(
  db: DuckDb,
  { tables, macros, views, also }: Statements,
): Promise<Pick<CreatedViews, 'broken' | 'without'>> {
  const broken = new Map<string, DamagedTable>();
  for (const { name, select, damaged } of tables) {
    const fault = await faultOf(async () => {
      if (select.status === 'rejected') throw select.reason;
      try {
        await db.run(createView(name, select.value));
      } catch (error) {
        // Another table's file has other columns, and is whole in itself.
        throw error instanceof StatementFailed ? ((await damaged()) ?? error) : error;
      }
    }, broken);
    if (fault !== undefined) broken.set(name, fault.error);
  }
  await db.run(`${macros};\n${also}`);
  const without: CreatedViews['without'][number][] = [];
  for (const { name, sql } of views) {
    const fault = await faultOf(() => db.run(createView(name, sql)), broken);
    if (fault === undefined) continue;
    broken.set(name, fault.error);
    without.push({ name, table: fault.table });
  }
  return { broken, without };
}

/** The statement that makes a view of a SELECT. */
export function createView(name: string, sql: string): string {
  return `create view ${quoteIdentifier(name)} as ${sql}`;
}

interface TableFault {
  readonly error: DamagedTable;
  /** The broken table that was asked; undefined if the file itself was read. */
  readonly table?: string;
}

/** The damaged file on which a step fails; undefined if the step succeeds. Any other error is thrown. */
async function faultOf(
  step: () => Promise<unknown>,
  broken: ReadonlyMap<string, DamagedTable>,
): Promise<TableFault | undefined> {
  try {
    await step();
    return undefined;
  } catch (error) {
    const fault = faultIn(error, broken);
    if (fault === undefined) throw error;
    return fault;
  }
}

/** The damaged file of which an error tells; undefined if it tells of none. */
export function faultIn(error: unknown, broken: ReadonlyMap<string, DamagedTable>): TableFault | undefined {
  if (error instanceof DamagedTable) return { error };
  if (!(error instanceof NoTable)) return undefined;
  const table = error.table.toLowerCase();
  const known = broken.get(table);
  return known === undefined ? undefined : { error: known, table };
}
