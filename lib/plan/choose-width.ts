import type { ColumnType } from '../column-types.ts';
import type { Lake } from '../lake/lake.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { valueSql } from '../schema/cells/cast-sql.ts';
import { cellJsonSql } from '../schema/cells/cell-text-sql.ts';
import { type ColumnDecision, widened } from '../schema/columns/decide-column.ts';
import { quoteIdentifier, readParquet } from '../sql.ts';

export interface ChooseWidthOptions {
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly decision: ColumnDecision;
  readonly column: string;
  /** Gives the keys of all kept files that have the column. A function, for there may be years of them and few columns widen. */
  readonly retained: () => Promise<readonly string[]>;
}

/**
 * The decision with the first of its wider types that holds every kept value of the column exactly. If no type does, the
 * decision stays as it is, and numbers that do not fit are rejected.
 */
export async function chooseWidth(options: ChooseWidthOptions): Promise<ColumnDecision> {
  const { db, lake, decision, column, retained } = options;
  for (const wider of decision.widen) {
    const paths = await lake.localPaths(await retained());
    if (paths.length === 0) return widened(decision, wider);
    const cells = `select ${quoteIdentifier(column)} as cell from ${readParquet(paths)}`;
    const [row] = await db.rows(
      `select bool_and(wide is not null) as holds from (${widenedSql(cells, decision.type, wider.type)}) where cell is not null`,
    );
    if (row?.holds !== false) return widened(decision, wider);
  }
  return decision;
}

/**
 * SQL of cells (`cells`: SQL of a relation with the column `cell` of type `from`), each with `wide`: the number in type
 * `to` as publish would read it; null if `to` cannot hold it exactly.
 */
export function widenedSql(cells: string, from: ColumnType, to: ColumnType): string {
  const form = { type: to, reading: { formats: [] } };
  return `select cell, ${valueSql(form, 'value')} as wide from (select cell, ${cellJsonSql('cell', from)} as value from (${cells}))`;
}
