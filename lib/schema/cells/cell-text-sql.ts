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
