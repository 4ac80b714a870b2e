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

/** Tables with files that are fetched in parallel, if the lake is remote. */
const FETCHED_AT_ONCE = 4;

export interface CreateViews {
  readonly tables: readonly TableView[];
  /** The folder of the views. */
  readonly queries: URL;
  readonly schema: Schema;
  /** Which of the views are created. @default all */
  readonly isNeeded?: (name: string) => boolean;
}

/**
 * Creates the tables of a lake and the views of queries/ in the connection's database. If all files are whole, it
 * creates all at once, in half of the time. Otherwise it creates each separately, to find the fault: `broken` are the
 * tables and views with a damaged or missing file, `without` the views among them. Throws LAKE_FULL.
 */
export async function createViews(db: DuckDb, statements: ViewStatements) {
  const isAtOnce = await createAtOnce(db, statements, statements.lasting);
  const found = isAtOnce
    ? { broken: new Map<string, DamagedTable>(), without: [] }
    : await createEach(db, statements);
  return { views: statements.all, isAtOnce, ...found };
}

export type ViewStatements = Awaited<ReturnType<typeof viewStatements>>;

/** The SQL of the tables and views; files of a remote lake are fetched first. */
export async function viewStatements(options: CreateViews) {
  const { tables, queries, schema, isNeeded = () => true } = options;
  const all = viewsOf(await readViews(queries), schema, 'main');
  const macros = await readMacros(queries);
  const views = inOrderOfReading(all).filter(({ name }) => isNeeded(name));
  const isRead = ({ name }: LakeView) => views.some(({ reads }) => reads.has(name));
  const emptyTables = tables.flatMap(({ name, empty }) => [
    filesOf(name, empty),
    createView(name, `from ${nameOfFiles(name)}()`),
  ]);
  const [inner, outer] = [views.filter(isRead), views.filter((view) => !isRead(view))];
  const stubs = inner.map(({ name, sql }) => `create table ${quoteIdentifier(name)} as ${sql}\nwith no data`);
  const ownViews = [
    ...stubs,
    ...outer.map(({ name, sql }) => createView(name, sql)),
    ...inner
      .toReversed()
      .map(({ name, sql }) => `drop table ${quoteIdentifier(name)};\n${createView(name, sql)}`),
  ];
  return {
    tables: await sideBySide(tables, FETCHED_AT_ONCE, async (table) => {
      const [select] = await Promise.allSettled([table.sql()]);
      return { ...table, select };
    }),
    macros,
    /** All views of queries/. */
    all,
    /** Those that are created. Each comes after those that it reads. */
    views,
    /**
     * SQL that makes all views over tables without a file: it is the same for each commit with the same schema. Each view
     * is made over stubs of the views that it reads, so that DuckDB reads each SQL only twice.
     */
    lasting: [...emptyTables, macros, ...ownViews].join(';\n'),
  };
}

/**
 * Puts the files of a commit below its tables, in one transaction after `lasting`. Without `lasting` the database has
 * the views already. False if nothing is made: a file is damaged, or a table has other columns, so that a view's types
 * are wrong.
 */
export async function createAtOnce(db: DuckDb, { tables }: ViewStatements, lasting = ''): Promise<boolean> {
  const files = tables.flatMap(({ name, select }) =>
    select.status === 'fulfilled' ? [filesOf(name, select.value)] : [],
  );
  if (files.length < tables.length) return false;
  try {
    await db.run(['begin', lasting, ...files].join(';\n'));
    if (await haveColumns(db, tables)) {
      await db.run('commit');
      return true;
    }
  } catch {
    // The separate creation of each finds the fault.
  }
  // A transaction that fails at its commit, such as for want of room, has ended by itself.
  await db.run('rollback').catch(() => undefined);
  return false;
}

/** Whether each table has the schema's columns and types. */
async function haveColumns(db: DuckDb, tables: readonly TableView[]): Promise<boolean> {
  const each = tables.map(
    ({ name }) =>
      `select ${quoteLiteral(name)} as name, column_name || ' ' || column_type as said from (describe ${quoteIdentifier(name)})`,
  );
  // duckdb_columns() asks every view, including DuckDB's own, which takes several times as long.
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

async function createEach(db: DuckDb, { tables, macros, views }: ViewStatements) {
  const broken = new Map<string, DamagedTable>();
  for (const { name, select, damaged } of tables) {
    try {
      if (select.status === 'rejected') throw select.reason;
      await db.run(createView(name, select.value));
    } catch (error) {
      // Another table's file has other columns, and is itself whole.
      const fault = error instanceof StatementFailed ? ((await damaged()) ?? error) : error;
      if (!(fault instanceof DamagedTable)) throw fault;
      broken.set(name, fault);
    }
  }
  await db.run(macros);
  /** Each with the table or view that it lacks. */
  const without: { readonly name: string; readonly table: string }[] = [];
  for (const { name, sql, reads } of views) {
    const table = [...reads].find((each) => broken.has(each));
    const fault = table && broken.get(table);
    if (fault) {
      broken.set(name, fault);
      without.push({ name, table });
    } else await db.run(createView(name, sql));
  }
  return { broken, without };
}

const nameOfFiles = (table: string) => quoteIdentifier(`files of ${table}`);

/** The statement that says what a table is read from: a function, so that the views over it last as they are. */
function filesOf(table: string, select: string): string {
  return `create or replace macro ${nameOfFiles(table)}() as table ${select}`;
}

/** The statement that makes a view of a SELECT. */
export function createView(name: string, sql: string): string {
  return `create view ${quoteIdentifier(name)} as ${sql}`;
}

/** The damaged file that an error names, or that a table lacks of which it says that there is none; else undefined. */
export function faultIn(error: unknown, broken: ReadonlyMap<string, DamagedTable>): DamagedTable | undefined {
  if (error instanceof DamagedTable) return error;
  return error instanceof NoTable ? broken.get(error.table.toLowerCase()) : undefined;
}
