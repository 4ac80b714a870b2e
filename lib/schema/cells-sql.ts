import { type ColumnType, duckdbType } from '../column-types.ts';
import { isIn, quoteIdentifier, quoteLiteral } from '../sql.ts';
import { cellForm, valueSql } from './cells/cast-sql.ts';
import { cellTextSql } from './cells/cell-text-sql.ts';
import { fileColumns, type Schema, type SchemaColumn, valueType } from './schema.ts';
import { type ColumnChange, newlyMasked } from './schema-changes.ts';

interface CellsOptions {
  /** The present schema. */
  readonly schema: Schema;
  readonly table: string;
  /** The columns that the files have. */
  readonly there: ReadonlySet<string>;
  readonly changes: readonly ColumnChange[];
}

/** Committed cells as the present schema has them, as far as the cells show. */
export function cellsSql({ schema, table, there, changes }: CellsOptions) {
  const isThere = ({ before, arrived = {} }: ColumnChange) =>
    [before, ...Object.values(arrived)].some(({ name }) => there.has(name));
  const changed = new Map(changes.filter(isThere).map((change) => [change.column.name, change]));
  const cells = fileColumns(schema, table).map(({ name, type }) => {
    const change = changed.get(name);
    const own = quoteIdentifier(name);
    const cell = change === undefined ? (there.has(name) ? own : 'null') : cellNow(change, { table, there });
    return `(${cell})::${duckdbType(type)} as ${own}`;
  });
  const entries = [...changed.values()].flatMap((change) => {
    const isLost = lostSql(change, there);
    if (isLost === undefined) return [];
    const text = formerText(change, there);
    const isMasked = isIn('export_source', change.column.masked);
    const raw = `case when ${isMasked} then ${maskedSql(table, change.column, text)} else ${text} end`;
    return `{
        column_name: ${quoteLiteral(change.column.name)},
        raw_value: case when ${isLost} then ${change.column.masked.length === 0 ? text : raw} end
      }`;
  });
  return {
    /** SQL of the present columns, over committed rows without their answers. */
    rows: cells.join(', '),
    /** The beginning of a query, before a FROM clause and `)`: what loses its cell, with the columns of `rejects`. */
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
        unnest(list_filter([${entries.join(', ')}], lambda each__: each__.raw_value is not null)) as lost__cell`,
  };
}

/**
 * SQL condition over committed rows: the cell has a value that the present cell cannot hold. Undefined where
 * no cell has one. `there`: names of the columns that the rows have.
 */
export function lostSql(
  change: ColumnChange,
  there: ReadonlySet<string> = new Set([change.before.name]),
): string | undefined {
  const { column } = change;
  const shown = column.paths
    .filter(({ isDropped, source }) => !isDropped && there.has(formerOf(source, change).name))
    .map(({ source }) => source);
  const isHeld = (source: string) => {
    const before = formerOf(source, change);
    const isSameType = valueType(before) === valueType(column) || valueType(column) === 'varchar';
    return isSameType && before.masked.length === 0;
  };
  if (column.provisional || shown.every(isHeld)) return undefined;
  const now = bySource(change, there, cellBeforeMask);
  return `${formerText(change, there)} is not null and (${now}) is null and ${isIn('export_source', shown)}`;
}

/** The column that had the source's values of the column before. */
function formerOf(source: string, { before, arrived }: ColumnChange): SchemaColumn {
  return arrived?.[source] ?? before;
}

/** The text of a committed cell before the change. */
function formerText(change: ColumnChange, there: ReadonlySet<string>): string {
  if (change.arrived === undefined) return textSql(change.before);
  const sources = [...new Set(change.column.paths.map(({ source }) => source))];
  const branches = sources.map((source) => {
    const former = formerOf(source, change);
    return `when ${quoteLiteral(source)} then ${there.has(former.name) ? textSql(former) : 'null'}`;
  });
  return `(case export_source ${branches.join(' ')} end)`;
}

/** A present cell, of each source in its own way. */
function cellNow(
  change: ColumnChange,
  { table, there }: { readonly table: string; readonly there: ReadonlySet<string> },
): string {
  const masked = newlyMasked(change);
  return bySource(change, there, (source) => {
    const cell = cellBeforeMask(source, change);
    return masked.includes(source) ? maskedSql(table, change.column, cell) : cell;
  });
}

function bySource(
  change: ColumnChange,
  there: ReadonlySet<string>,
  cellOf: (source: string, change: ColumnChange) => string,
): string {
  const { name, type, paths } = change.column;
  const branches = [...new Set(paths.map(({ source }) => source))].map((source) => {
    const isDropped = paths.every((path) => path.source !== source || path.isDropped);
    const isThere = there.has(formerOf(source, change).name);
    const cell = isDropped || !isThere ? 'null' : cellOf(source, change);
    return `when ${quoteLiteral(source)} then (${cell})::${duckdbType(type)}`;
  });
  return branches.length === 0 ? quoteIdentifier(name) : `case export_source ${branches.join(' ')} end`;
}

/** A source's committed cell as the column holds it now, before it is masked. Nobody knows what a mask hides. */
function cellBeforeMask(source: string, change: ColumnChange): string {
  const { column, hasNewKey } = change;
  const before = formerOf(source, change);
  const [was, is] = [valueType(before), valueType(column)];
  const own = quoteIdentifier(before.name);
  if (before.masked.includes(source)) {
    // Masks come from texts, and a decimal has the text of each whole number.
    const isSameText = was === is || is === 'varchar' || (was === 'bigint' && is === 'decimal(38,9)');
    const isLeft = column.masked.includes(source) ? isSameText && !hasNewKey : column.type === 'varchar';
    return isLeft ? own : 'null';
  }
  const text = textSql(before);
  const hasNewWords =
    meaningsText(column, source) !== undefined &&
    meaningsText(column, source) !== meaningsText(before, source);
  if (is === 'varchar' && !hasNewWords) return text;
  const form = cellForm({ type: is, readings: column.readings }, source);
  const typed =
    was !== is || hasNewWords
      ? valueSql(form, jsonSql(text, was))
      : before.plainType === undefined
        ? own
        : `(${text})::${duckdbType(is)}`;
  return column.plainType === undefined ? typed : cellTextSql(typed, is);
}

/** What a source's words mean, for comparison. */
function meaningsText({ readings }: SchemaColumn, source: string): string | undefined {
  return JSON.stringify(readings[source]?.values);
}

/** The text of a committed cell. A column with a mask is text already. */
export function textSql(column: SchemaColumn): string {
  const own = quoteIdentifier(column.name);
  return column.plainType === undefined ? cellTextSql(own, column.type) : own;
}

/** The mask of a text of the column. */
export function maskedSql(table: string, { name }: Pick<SchemaColumn, 'name'>, text: string): string {
  return `mask_text(${quoteLiteral(`${table}.${name}`)}, ${text})`;
}

/** The text of a typed cell as the JSON text that the API may have sent; null for null. */
export function jsonSql(text: string, type: ColumnType): string {
  return type === 'varchar' || type === 'date' || type === 'timestamp' ? `to_json(${text})::varchar` : text;
}
