import { type ColumnType, duckdbType } from '../column-types.ts';
import type { Lake } from '../lake/lake.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { type ColumnDecision, widened } from '../schema/columns/decide-column.ts';
import { quoteIdentifier, readParquet } from '../sql.ts';

export interface ChooseWidthOptions {
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly decision: ColumnDecision;
  readonly column: string;
  /** Keys of all retained files that have the column; years of them, and few columns ever widen. */
  readonly retained: () => readonly string[];
}

/**
 * The decision with the first of its wider types to which every retained value of the column casts back exactly; the
 * decision as it is where there is none: then the numbers that do not fit are rejected.
 */
export async function chooseWidth(options: ChooseWidthOptions): Promise<ColumnDecision> {
  const { db, lake, decision, column, retained } = options;
  for (const wider of decision.widen) {
    const paths = await lake.localPaths(retained());
    if (paths.length === 0) return widened(decision, wider);
    const [row] = await db.rows(
      `select bool_and(${castsBack(column, decision.type, wider.type)}) as holds from ${readParquet(paths)}`,
    );
    if (row?.holds !== false) return widened(decision, wider);
  }
  return decision;
}

function castsBack(column: string, from: ColumnType, to: ColumnType): string {
  const cell = quoteIdentifier(column);
  const back = `try_cast(try_cast(${cell} as ${duckdbType(to)}) as ${duckdbType(from)})`;
  return `${cell} is null or (${back} is not null and ${back} = ${cell})`;
}
