import { inRangeSql } from '../parent-hash.ts';
import type { ResourceUnit } from '../run/unit.ts';
import { resourceNamed } from '../sources/resources.ts';
import { isIn, quoteLiteral } from '../sql.ts';
import { shownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

/**
 * SQL of the unit's committed rows with the present columns and types. `committed` are all; `carried` are
 * those of parents and sources without answers in this run. Undefined if nothing is committed.
 */
export async function committedSql(unit: ResourceUnit, context: UnitContext) {
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
    /** Undefined where no row is carried over: DuckDB would read the table to find none. */
    carried: (await mayCarry(unit, context))
      ? `select kept__rows.* from (${committed}) as kept__rows ${carriedWhere(unit)}`
      : undefined,
    /** SQL of committed rows that are not in `now`, of listings that may be incomplete. */
    lacking: (now: string) => `
      select kept__rows.*
      from (${committed}) as kept__rows
      join outcomes as ended__calls
        on ${isOfCall(unit)}
        and ended__calls.outcome in ('ok', 'empty')
        and ended__calls.error_code is not null
      anti join (${now}) as now__rows
        on now__rows.export_source = kept__rows.export_source and now__rows.record_key = kept__rows.record_key`,
    // A value that lost its cell is in the rejects of its own date, which another unit makes.
    history: history.map((each) => ({ ...each, lost: 0 })),
    // A source has a key from its first record on: without one, no record can have left the table.
    hadRows: Object.keys(context.base.schema.tables[unit.table]?.keys ?? {}).length > 0,
  };
}

/** Whether any row may be one to carry over. */
async function mayCarry(
  { table, keepAll, keepUnlisted }: ResourceUnit,
  { db }: UnitContext,
): Promise<boolean> {
  if (keepAll.length > 0) return true;
  if (resourceNamed(table).parent === null) return false;
  if (keepUnlisted.length > 0) return true;
  const lost = await db.rows(
    `select 1 from outcomes where resource = ${quoteLiteral(table)} and outcome in ('denied', 'failed') limit 1`,
  );
  return lost.length > 0;
}

/** SQL condition: the row is of the listing of the outcome `ended__calls`. */
function isOfCall({ table }: ResourceUnit): string {
  const { parent, parentColumn } = resourceNamed(table);
  return `ended__calls.source = kept__rows.export_source
        and ended__calls.resource = ${quoteLiteral(table)}
        and ended__calls.parent_id is not distinct from ${parent === null ? 'null' : `kept__rows.${parentColumn}`}`;
}

function carriedWhere(unit: ResourceUnit): string {
  const keepAll = isIn('export_source', unit.keepAll);
  if (resourceNamed(unit.table).parent === null) return `where ${keepAll}`;
  return `
    left join outcomes as ended__calls on ${isOfCall(unit)}
    where ${keepAll}
      or ended__calls.outcome in ('denied', 'failed')
      or (ended__calls.outcome is null and ${isIn('export_source', unit.keepUnlisted)})`;
}
