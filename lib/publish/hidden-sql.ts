import {
  type DroppedHere,
  droppedColumns,
  droppedHere,
  type Retyped,
  retypedColumns,
} from '../schema/schema-changes.ts';
import { quoteLiteral } from '../sql.ts';
import type { UnitContext } from './unit-context.ts';

/** SQL of a cell that is null where its source's values are dropped, and were not before. */
export function droppedSql(dropped: DroppedHere | undefined, cell: string): string {
  if (dropped === undefined) return cell;
  return `case when export_source not in (${dropped.sources.map(quoteLiteral).join(', ')}) then ${cell} end`;
}

/** SQL of a text that is masked where its source's are, and were not before. */
export function maskedSql({ newlyMasked }: Pick<Retyped, 'newlyMasked'>, text: string): string {
  if (newlyMasked.length === 0) return text;
  return `case when export_source in (${newlyMasked.map(quoteLiteral).join(', ')}) then mask_text(${text}) else ${text} end`;
}

/**
 * SQL of committed rows of `changes` or `rejects` with what the config hides now: values of newly masked columns are
 * masked, rows of dropped columns are left out. `values` are the columns that hold what the API said.
 */
export function hiddenSql(
  { base, schema }: Pick<UnitContext, 'base' | 'schema'>,
  { rows, values }: { readonly rows: string; readonly values: readonly string[] },
): string {
  const tables = Object.keys(schema.tables);
  const hidden = tables.flatMap((table) =>
    retypedColumns(base.schema, schema, table)
      .filter(({ newlyMasked }) => newlyMasked.length > 0)
      .map((found) => ({ place: placeOf(table, found.column.name), found })),
  );
  const dropped = tables.flatMap((table) =>
    droppedColumns(base.schema, schema, table).map((name) => placeOf(table, name)),
  );
  const here = tables.flatMap((table) =>
    droppedHere(base.schema, schema, table).map(
      ({ column, sources }) =>
        `(${IS_AT} = ${placeOf(table, column)} and export_source in (${sources.map(quoteLiteral).join(', ')}))`,
    ),
  );
  if (hidden.length + dropped.length + here.length === 0) return rows;
  const replaced = values.map((value) => {
    const branches = hidden.map(
      ({ place, found }) => `when ${IS_AT} = ${place} then ${maskedSql(found, value)}`,
    );
    return branches.length === 0 ? value : `case ${branches.join(' ')} else ${value} end as ${value}`;
  });
  const leftOut = [...(dropped.length === 0 ? [] : [`${IS_AT} in (${dropped.join(', ')})`]), ...here];
  const where = leftOut.length === 0 ? '' : `where column_name is null or not (${leftOut.join(' or ')})`;
  const change = hidden.length === 0 ? '*' : `* replace (${replaced.join(', ')})`;
  return `select ${change} from (${rows}) ${where}`;
}

const IS_AT = '(table_name, column_name)';

function placeOf(table: string, column: string): string {
  return `(${quoteLiteral(table)}, ${quoteLiteral(column)})`;
}
