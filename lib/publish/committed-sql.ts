import { tableKeys } from '../lake/table-files.ts';
import { inRangeSql } from '../parent-hash.ts';
import type { HistoryAside } from '../run/published-unit.ts';
import type { ResourceUnit } from '../run/unit.ts';
import { resourceNamed } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { shownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

export interface CommittedSql {
  readonly committed: string;
  readonly carried: string;
  /** See `shownRows`. */
  readonly history: readonly HistoryAside[];
  /** Whether the table has any committed row, of this part or another: nothing can have left an empty one. */
  hasRows(): Promise<boolean>;
}

/**
 * SQL of the unit's committed rows with the present columns and types: `committed` are all, `carried` those of parents
 * and sources that this run has no answers for. Undefined if nothing is committed.
 */
export async function committedSql(
  unit: ResourceUnit,
  context: UnitContext,
): Promise<CommittedSql | undefined> {
  const newest = context.base.head?.tables[unit.table]?.newest;
  if (newest === undefined) return undefined;
  const { range } = unit;
  const { rows, history } = await shownRows(context, { table: unit.table, files: newest, range });
  const { parentColumn } = resourceNamed(unit.table);
  const committed =
    range === undefined || parentColumn === null
      ? rows
      : `select * from (${rows}) where ${inRangeSql(parentColumn, range)}`;
  return {
    committed,
    carried: `select kept__rows.* from (${committed}) as kept__rows ${carriedWhere(unit)}`,
    // What lost its cell stands in the rejects of its own date, which another unit makes.
    history: history.map((each) => ({ ...each, lost: 0 })),
    hasRows: async () => {
      const paths = await context.services.lake.localPaths(tableKeys(unit.table, newest));
      if (paths.length === 0) return false;
      const [any] = await context.db.rows(`select 1 from ${readParquet(paths)} limit 1`);
      return any !== undefined;
    },
  };
}

function carriedWhere(unit: ResourceUnit): string {
  const { parent, parentColumn } = resourceNamed(unit.table);
  const keepAll = `export_source in (${list(unit.keepAll)})`;
  if (parent === null || parentColumn === null) return `where ${keepAll}`;
  return `
    left join outcomes as ended__calls
      on ended__calls.source = kept__rows.export_source
      and ended__calls.resource = ${quoteLiteral(unit.table)}
      and ended__calls.parent_id = kept__rows.${parentColumn}
    where ${keepAll}
      or ended__calls.outcome in ('denied', 'failed')
      or (ended__calls.outcome is null and export_source in (${list(unit.keepUnlisted)}))`;
}

/** The names as an SQL list; SQL has no empty list. */
function list(names: readonly string[]): string {
  return names.length === 0 ? 'null' : names.map(quoteLiteral).join(', ');
}
