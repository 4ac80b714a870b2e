import { duckdbType, type NumericType } from '../column-types.ts';

/**
 * SQL of a retained cell (`cell`: SQL of type `from`) in a wider type; null where the cell is, and where the wider type
 * does not hold it exactly: the column may widen if no other cell becomes null. Needs CELL_MACROS.
 */
export function widenSql(
  { from, to }: { readonly from: NumericType; readonly to: NumericType },
  cell: string,
): string {
  // 19 digits before the point fit into the decimal's 29.
  return to === 'double' && from !== 'double'
    ? `number_double((${cell})::VARCHAR)`
    : `(${cell})::${duckdbType(to)}`;
}
