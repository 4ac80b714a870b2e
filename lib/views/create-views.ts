import { DamagedTable } from '../lake/damaged-file.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { NoTable } from '../runtime/duckdb-errors.ts';
import type { Schema } from '../schema/schema.ts';
import { sideBySide } from '../side-by-side.ts';
import { quoteIdentifier } from '../sql.ts';
import { type LakeView, viewsOf } from './lake-views.ts';
import { readMacros } from './queries.ts';
import type { TableView } from './table-views.ts';
import { inOrderOfReading, readViews } from './view-file.ts';

/** Tables whose files are fetched at once, where the lake is remote. */
const FETCHED_AT_ONCE = 4;

export interface CreateViews {
  readonly tables: readonly Pick<TableView, 'name' | 'sql'>[];
  /** The folder of the views. */
  readonly queries: URL;
  readonly schema: Schema;
  /** Which of the views are created. @default all */
  readonly isNeeded?: (name: string) => boolean;
}

export interface CreatedViews {
  readonly views: readonly LakeView[];
  /** Tables and views of which a file is damaged or missing, with the error. */
  readonly broken: ReadonlyMap<string, DamagedTable>;
  /** Those of them that are views, each with the table whose file it is. */
  readonly without: readonly { readonly name: string; readonly table: string | undefined }[];
}

/** Creates the tables of a lake and the views of queries/ in the database that the connection uses. */
export async function createViews(
  db: DuckDb,
  { tables, queries, schema, isNeeded = () => true }: CreateViews,
): Promise<CreatedViews> {
  const broken = new Map<string, DamagedTable>();
  const fetched = await sideBySide(tables, FETCHED_AT_ONCE, async ({ name, sql }) => {
    const [select] = await Promise.allSettled([sql()]);
    return { name, select };
  });
  for (const { name, select } of fetched) {
    const fault = await faultOf(async () => {
      if (select.status === 'rejected') throw select.reason;
      await db.run(createView(name, select.value));
    }, broken);
    if (fault !== undefined) broken.set(name, fault.error);
  }
  await db.run(await readMacros(queries));
  const views = viewsOf(await readViews(queries), schema, 'main');
  const without: CreatedViews['without'][number][] = [];
  for (const { name, sql } of inOrderOfReading(views).filter(({ name }) => isNeeded(name))) {
    const fault = await faultOf(() => db.run(createView(name, sql)), broken);
    if (fault === undefined) continue;
    broken.set(name, fault.error);
    without.push({ name, table: fault.table });
  }
  return { views, broken, without };
}

/**
 * The same where all files are whole, in two thirds of the time: each view is made over tables without rows, so that none
 * opens a file, and the tables of the files take their places. False where they have other columns: the types that a view
 * keeps would not be theirs.
 */
export async function createViewsAtOnce(
  db: DuckDb,
  {
    tables,
    queries,
    schema,
  }: Omit<CreateViews, 'tables' | 'isNeeded'> & { readonly tables: readonly TableView[] },
): Promise<boolean> {
  const views = inOrderOfReading(viewsOf(await readViews(queries), schema, 'main'));
  const statements = [
    ...tables.map(({ name, empty }) => createView(name, empty)),
    await readMacros(queries),
    ...views.map(({ name, sql }) => createView(name, sql)),
  ];
  for (const { name, sql } of tables) statements.push(replaceView(name, await sql()));
  await db.run(statements.join(';\n'));
  const made = await db.rows(`
    -- grain: table or view
    select table_name as name, list(column_name || ' ' || data_type order by column_index)::json::varchar as columns
    from duckdb_columns()
    where database_name = current_database()
    group by table_name`);
  const columnsOf = new Map(made.map(({ name, columns }) => [name, columns]));
  return tables.every(({ name, columns }) => columnsOf.get(name) === JSON.stringify(columns));
}

/** The statement that makes a view of a SELECT. */
export function createView(name: string, sql: string): string {
  return `create view ${quoteIdentifier(name)} as ${sql}`;
}

function replaceView(name: string, sql: string): string {
  return `create or replace view ${quoteIdentifier(name)} as ${sql}`;
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
