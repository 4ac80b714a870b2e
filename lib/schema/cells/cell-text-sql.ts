import type { ColumnType } from '../../column-types.ts';

/**
 * SQL of a typed cell as text: one text for a value, whatever type holds it. ISO times are in UTC to the
 * millisecond; decimals and doubles have no trailing zeros. `changes` shows it.
 */
export function cellTextSql(cell: string, type: ColumnType): string {
  // DuckDB formats its TIMESTAMP_MS through nanoseconds, which hold only the years 1677 to 2262.
  if (type === 'timestamp') return `strftime((${cell})::timestamp, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  if (type === 'decimal(38,9)') return `regexp_replace((${cell})::varchar, '\\.?0+$', '')`;
  if (type === 'double') return `regexp_replace((${cell})::varchar, '\\.0$', '')`;
  return `(${cell})::varchar`;
}
