import type { ResourceUnit } from '../run/unit.ts';
import { resourceNamed } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';
import type { UnitContext } from './unit-context.ts';

/** True if a listing of the unit's table is published although it may not be whole (CAP_SUSPECTED). */
export async function isInDoubt({ table }: ResourceUnit, { db }: UnitContext): Promise<boolean> {
  const [row] = await db.rows(`
    select count(*) as doubts
    from outcomes
    where resource = ${quoteLiteral(table)} and outcome = 'ok' and error_code is not null`);
  return Number(row?.doubts ?? 0) > 0;
}

/** SQL of the `committed` rows that are not in `now`, of listings that may not be whole: nothing is removed for them. */
export function lackingSql(
  { table }: ResourceUnit,
  { committed, now }: { readonly committed: string; readonly now: string },
): string {
  const { parent, parentColumn } = resourceNamed(table);
  const parentId = parent === null || parentColumn === null ? 'null' : `rows.${parentColumn}`;
  return `
    select rows.*
    from (${committed}) as rows
    join outcomes
      on outcomes.source = rows.export_source
      and outcomes.resource = ${quoteLiteral(table)}
      and outcomes.parent_id is not distinct from ${parentId}
      and outcomes.outcome = 'ok'
      and outcomes.error_code is not null
    anti join (${now}) as now_rows
      on now_rows.export_source = rows.export_source and now_rows.record_key = rows.record_key`;
}
