import type { DuckDb } from '../runtime/duckdb.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';

export interface WriteParquet {
  readonly db: DuckDb;
  /** A local file. */
  readonly path: string;
  /** SQL of the rows. */
  readonly rows: string;
  /** Columns that sort the rows. They must be unique together; else equal input could give different files. */
  readonly orderBy: readonly string[];
}

/** Rows of a row group: Parquet's usual size, by which Athena splits its work. */
const ROW_GROUP = 131_072;

/** Of memory, for a group that is made lies outside of DuckDB's bound: 700 MB of wide rows took publish 1.5 GB more. */
const ROW_GROUP_MB = 128;

/** Writes one Parquet file (ZSTD, statistics, sorted) and gives the number of its rows. */
export async function writeParquet({ db, path, rows, orderBy }: WriteParquet): Promise<number> {
  return await db.run(`
    copy (
      select *
      from (${rows})
      order by ${orderBy.map((name) => `${quoteIdentifier(name)} nulls first`).join(', ')}
    )
    to ${quoteLiteral(path)} (format parquet, compression zstd, row_group_size ${ROW_GROUP}, row_group_size_bytes '${ROW_GROUP_MB}MB')`);
}
