import type { ColumnType } from '../../column-types.ts';

/**
 * SQL of a typed cell as text, one text a value whatever type holds it: ISO times to the millisecond in UTC, decimals and
 * doubles without idle zeros. `changes` shows it.
 */
export function cellTextSql(cell: string, type: ColumnType): string {
  // DuckDB formats its TIMESTAMP_MS by way of nanoseconds, which hold the years 1677 to 2262 alone.
  if (type === 'timestamp') return `strftime((${cell})::timestamp, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  if (type === 'decimal(38,9)') return `regexp_replace((${cell})::varchar, '\\.?0+$', '')`;
  if (type === 'double') return `regexp_replace((${cell})::varchar, '\\.0$', '')`;
  return `(${cell})::varchar`;
}

/** SQL of a typed cell as the JSON text that the API may have said, by which it is read as another type; null for null. */
export function cellJsonSql(cell: string, type: ColumnType): string {
  const text = cellTextSql(cell, type);
  if (type === 'timestamp') return `to_json(regexp_replace(${text}, '\\.000Z$', 'Z'))::varchar`;
  return type === 'varchar' || type === 'date' ? `to_json(${text})::varchar` : text;
}
