import { DUPLICATE_MARK } from '../lake/raw/marks.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Path } from '../schema/columns/assign-names.ts';
import { columnName } from '../schema/columns/column-name.ts';
import { leafColumn, leavesSql, type Slices } from '../schema/leaves.ts';
import { keyPaths, keyTextSql, type RecordKey } from '../schema/record-key.ts';
import type { Resource } from '../sources/resources.ts';

export interface RepeatedIdsOptions {
  readonly db: DuckDb;
  readonly slices: Slices;
  readonly resource: Resource;
  readonly key: RecordKey | undefined;
  /** Where the records have values. */
  readonly paths: readonly Path[];
}

/**
 * The paths that are called like the column that holds the player's or storage's id as text and have the same text, or
 * nothing, in every record: `PlayerId` of a player is that column, and needs none of its own.
 */
export async function repeatedIds(options: RepeatedIdsOptions): Promise<readonly Path[]> {
  const { db, slices, resource, key, paths } = options;
  const named = paths.filter(
    (path) =>
      resource.parentColumn !== null &&
      columnName(path) === resource.parentColumn &&
      !path.some((part) => part.includes(DUPLICATE_MARK)),
  );
  if (named.length === 0 || (resource.parent === null && key?.kind !== 'field')) return [];
  const own = resource.parent === null && key?.kind === 'field' ? keyPaths(key.field) : [];
  const columns = own.map((_, index) => leafColumn(named.length + index));
  const id = own.length === 0 ? 'parent_id' : keyTextSql(columns);
  const counts = named.map((_, index) => {
    const leaf = leafColumn(index);
    // As the API said it: what a cell could not hold is not the same.
    return `count(*) filter (${leaf} is not null and reject_text(${leaf}) is distinct from ${id}) as n${index}`;
  });
  const [row] = await db.rows(`select ${counts.join(', ')} from (${leavesSql(slices, [...named, ...own])})`);
  return named.filter((_, index) => Number(row?.[`n${index}`] ?? 1) === 0);
}
