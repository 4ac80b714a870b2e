import { systemScratch } from '../lake/folder/system-scratch.ts';
import type { Head } from '../lake/head.ts';
import { tableKeys } from '../lake/named-files.ts';
import { refuseDamaged } from '../lake/sums/refuse-damaged.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { RESOURCE_NAMES, type ResourceName } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';

/** A listing that was denied or failed in the committed run. */
export interface Unanswered {
  readonly source: string;
  readonly resource: ResourceName;
  /** Null for a listing without parent. */
  readonly parentId: string | null;
}

/** The listings that were denied or failed in the committed run, without those that are held because they shrank. */
export async function unanswered(head: Head, services: Services): Promise<readonly Unanswered[]> {
  const { lake } = services;
  const files = head.tables.outcomes?.newest;
  if (files === undefined) return [];
  await refuseDamaged(lake, [{ table: 'outcomes', ...files }]);
  await using scratch = await systemScratch();
  using db = await openStageDb(services, scratch);
  const rows = await db.rows(`
    select export_source, resource, parent_id
    from ${readParquet(await lake.localPaths(tableKeys('outcomes', files)))}
    where export_run_id = ${quoteLiteral(head.runId)}
      and outcome in ('denied', 'failed')
      and error_code is distinct from 'LISTING_SHRANK'
    order by all`);
  return rows.flatMap((row) => {
    const resource = RESOURCE_NAMES.find((name) => name === row.resource);
    if (resource === undefined) return [];
    const parentId = row.parent_id === null ? null : String(row.parent_id);
    return [{ source: String(row.export_source), resource, parentId }];
  });
}
