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
  /** The paths at which the records have values. */
  readonly paths: readonly Path[];
}

/**
 * The paths that only repeat the player's or storage's id. Such a path has the name of the id's column. In
 * every record it has the same text or nothing. So a player's `PlayerId` gets no column of its own.
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
  const id = key?.kind === 'field' && own.length > 0 ? keyTextSql(columns, key.field) : 'parent_id';
  const counts = named.map((_, index) => {
    const leaf = leafColumn(index);
    // Compares what the API said: a value that a cell cannot hold is a different one.
    return `count(*) filter (${leaf} is not null and reject_text(${leaf}) is distinct from ${id}) as n${index}`;
  });
  const [row] = await db.rows(`select ${counts.join(', ')} from (${leavesSql(slices, [...named, ...own])})`);
  return named.filter((_, index) => Number(row?.[`n${index}`] ?? 1) === 0);
}
