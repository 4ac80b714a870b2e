import type { ResourceUnit } from '../run/unit.ts';
import { resourceNamed } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';

/** SQL of the `committed` rows that are not in `now`, of listings that may not be whole: nothing is removed for them. */
export function lackingSql(
  { table }: ResourceUnit,
  { committed, now }: { readonly committed: string; readonly now: string },
): string {
  const { parent, parentColumn } = resourceNamed(table);
  const parentId = parent === null || parentColumn === null ? 'null' : `kept__rows.${parentColumn}`;
  return `
    select kept__rows.*
    from (${committed}) as kept__rows
    join outcomes as ended__calls
      on ended__calls.source = kept__rows.export_source
      and ended__calls.resource = ${quoteLiteral(table)}
      and ended__calls.parent_id is not distinct from ${parentId}
      and ended__calls.outcome = 'ok'
      and ended__calls.error_code is not null
    anti join (${now}) as now__rows
      on now__rows.export_source = kept__rows.export_source and now__rows.record_key = kept__rows.record_key`;
}
