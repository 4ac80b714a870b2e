import { duckdbType } from '../column-types.ts';
import type { PublishedUnit } from '../run/published-unit.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { fileColumns } from '../schema/schema.ts';
import { quoteIdentifier, quoteLiteral, type RelationColumn, readParquet } from '../sql.ts';
import type { UnitContext } from './unit-context.ts';

/** Rows of a row group: Parquet's usual size, by which Athena splits its work. */
const ROW_GROUP = 131_072;

/** The memory of a row group. DuckDB's limit leaves it out: with 700 MB of wide rows publish took 1.5 GB more. */
const ROW_GROUP_MB = 128;

export interface MakeTableOptions {
  readonly context: UnitContext;
  readonly table: string;
  /** The date of the files. @default the run's */
  readonly date?: string;
  readonly part: number;
  /** SQL with columns that are cast to these, by name. */
  readonly rows: string;
  /** SQL for the file if two of `rows` are equal in `orderBy`. */
  readonly rowsIfRepeated?: string;
  /** @default all columns of the table in the present schema */
  readonly columns?: readonly RelationColumn[];
  /**
   * Columns that sort the rows. They must be unique together; otherwise equal input can make different files.
   * @default all
   */
  readonly orderBy?: readonly string[];
}

/** A file of a table, in the scratch folder. */
export interface MadePart {
  readonly table: string;
  readonly date: string;
  readonly part: number;
  readonly rows: number;
  /** True if `rowsIfRepeated` was written. */
  readonly isRepeated: boolean;
  readonly path: string;
  /** The run that the file is named after. @default the attempt's */
  readonly runId?: string;
}

/** What a unit makes, with its files in the scratch folder: nothing of it is in the lake yet. */
export interface MadeUnit extends Omit<PublishedUnit, 'parts'> {
  readonly parts: readonly MadePart[];
}

/** Writes the rows as one Parquet file (ZSTD, statistics, sorted) for a part of the table's date. */
export async function makeTable(options: MakeTableOptions): Promise<MadePart> {
  const { context, table, part, columns = fileColumns(options.context.schema, options.table) } = options;
  const { db, record } = context;
  const date = options.date ?? record.exportDate;
  const path = `${context.scratch}/${table}-${part}.parquet`;
  const cells = columns.map(
    ({ name, type }) => `${quoteIdentifier(name)}::${duckdbType(type)} as ${quoteIdentifier(name)}`,
  );
  const { orderBy = columns.map(({ name }) => name), rowsIfRepeated } = options;
  const write = (sql: string) =>
    db.run(`
      copy (
        select ${cells.join(', ')}
        from (${sql})
        order by ${orderBy.map((name) => `${quoteIdentifier(name)} nulls first`).join(', ')}
      )
      to ${quoteLiteral(path)} (format parquet, compression zstd, row_group_size ${ROW_GROUP}, row_group_size_bytes '${ROW_GROUP_MB}MB')`);
  let rows = await write(options.rows);
  const isRepeated = rowsIfRepeated !== undefined && (await hasRepeats(db, { path, rows, orderBy }));
  if (isRepeated) rows = await write(rowsIfRepeated);
  return { table, date, part, rows, isRepeated, path };
}

async function hasRepeats(
  db: DuckDb,
  file: { readonly path: string; readonly rows: number; readonly orderBy: readonly string[] },
): Promise<boolean> {
  if (file.rows < 2) return false;
  const columns = file.orderBy.map(quoteIdentifier).join(', ');
  // Hashes take a tenth of the memory of the keys. If two collide, the rows are only written a second time.
  const [counted] = await db.rows(
    `select count(distinct hash(${columns})) as different from ${readParquet([file.path])}`,
  );
  return Number(counted?.different ?? 0) < file.rows;
}
