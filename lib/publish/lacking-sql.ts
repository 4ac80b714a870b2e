import type { ResourceUnit } from '../run/unit.ts';
import { resourceNamed } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';

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
