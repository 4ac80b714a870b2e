import { type ColumnType, duckdbType } from '../column-types.ts';
import type { ResourceName } from '../sources/resources.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';
import { cellForm, valueSql } from './cells/cast-sql.ts';
import { cellTextSql } from './cells/cell-text-sql.ts';
import { fileColumns, type Schema } from './schema.ts';
import { type ColumnChange, newlyMasked } from './schema-changes.ts';

export interface CellsOptions {
  /** Of now. */
  readonly schema: Schema;
  readonly table: ResourceName;
  /** The columns that the files have. */
  readonly there: ReadonlySet<string>;
  readonly changes: readonly ColumnChange[];
}

export interface Cells {
  /** SQL of the columns of now, over committed rows whose answers are gone. */
  readonly rows: string;
  /** The beginning of a query, to be ended by a FROM clause and `)`: what loses its cell, with the columns of `rejects`. */
  readonly lost: string | undefined;
}

/** Committed cells as the schema of now has them, as far as they tell. */
export function cellsSql({ schema, table, there, changes }: CellsOptions): Cells {
  const changed = new Map(
    changes.filter(({ column }) => there.has(column.name)).map((change) => [change.column.name, change]),
  );
  const cells = fileColumns(schema, table).map(({ name, type }) => {
    const change = changed.get(name);
    const own = quoteIdentifier(name);
    const cell = change === undefined ? (there.has(name) ? own : 'null') : cellNow(change);
    return `(${cell})::${duckdbType(type)} as ${own}`;
  });
  const entries = [...changed.values()].flatMap((change) => {
    const { column, before } = change;
    const isLost = lostSql(change);
    if (isLost === undefined) return [];
    return `{
        column_name: ${quoteLiteral(column.name)},
        raw_value: case when ${isLost} then ${cellTextSql(quoteIdentifier(column.name), before.type)} end
      }`;
  });
  return {
    rows: cells.join(', '),
    lost:
      entries.length === 0
        ? undefined
        : `
    -- grain: value that loses its cell
    select
      export_source, export_run_id, ${quoteLiteral(table)} as table_name, record_key,
      lost__cell.column_name as column_name, lost__cell.raw_value as raw_value, 'type' as reason, 1 as count
    from (
      select
        export_source, export_run_id, record_key,
        unnest(list_filter([${entries.join(', ')}], lambda each: each.raw_value is not null)) as lost__cell`,
  };
}

/** SQL condition over committed rows: the cell has a value that the cell of now cannot hold. Undefined where none is. */
export function lostSql(change: ColumnChange): string | undefined {
  const { column, before } = change;
  const shown = column.paths.filter(({ isDropped }) => !isDropped).map(({ source }) => quoteLiteral(source));
  if (column.provisional || shown.length === 0 || before.type === column.type || column.type === 'varchar') {
    return undefined;
  }
  const isShown = `export_source in (${[...new Set(shown)].join(', ')})`;
  return `${quoteIdentifier(column.name)} is not null and (${cellNow(change)}) is null and ${isShown}`;
}

/** A cell of now, of each source in its own way. */
function cellNow(change: ColumnChange): string {
  const { before, column } = change;
  const own = quoteIdentifier(column.name);
  const masked = newlyMasked(change);
  const sources = [...new Set(column.paths.map(({ source }) => source))];
  const branches = sources.map((source) => {
    const isDropped = column.paths.every((path) => path.source !== source || path.isDropped);
    const text = cellTextSql(own, before.type);
    const cell = isDropped
      ? 'null'
      : masked.includes(source)
        ? `mask_text(${text})`
        : before.type === column.type
          ? own
          : column.type === 'varchar'
            ? text
            : valueSql(
                cellForm({ type: column.type, readings: column.readings }, source),
                jsonSql(own, before.type),
              );
    return `when ${quoteLiteral(source)} then (${cell})::${duckdbType(column.type)}`;
  });
  return `case export_source ${branches.join(' ')} end`;
}

/** A typed cell as the JSON text that the API may have said; null for null. */
export function jsonSql(cell: string, type: ColumnType): string {
  const text = cellTextSql(cell, type);
  return type === 'varchar' || type === 'date' || type === 'timestamp' ? `to_json(${text})::varchar` : text;
}
