import { ExportError } from '../../errors.ts';
import { RESOURCES } from '../../sources/resources.ts';
import { quoteLiteral, readParquet } from '../../sql.ts';
import type { Planning } from '../planning.ts';
import { notMadeAgain } from './refuse-lost.ts';

/**
 * Refuses a run if raw has an answer that the run's batches did not request. Then state/ has lost a batch, and the rows
 * of that answer would be reported as removed. Throws UsageError REBUILD_IMPOSSIBLE or REPAIR_TOO_LATE, and for a run STATE_LOST.
 */
export async function refuseUnnoted({ db, record, raw }: Planning): Promise<void> {
  const children = new Set<string>(RESOURCES.flatMap(({ name, parent }) => (parent === null ? [] : [name])));
  const answered = raw
    .filter(({ resource, paths }) => children.has(resource) && paths.length > 0)
    .map(
      ({ source, resource, paths }) => `
        select ${quoteLiteral(source)} as source, ${quoteLiteral(resource)} as resource, parent_id
        from ${readParquet(paths)}
        where outcome is not null and parent_id is not null`,
    );
  if (answered.length === 0) return;
  const [row] = await db.rows(`
    -- grain: source and resource
    select source, resource, count(distinct parent_id) as answers
    from (${answered.join(' union all ')})
    anti join outcomes using (source, resource, parent_id)
    group by all
    order by all
    limit 1`);
  if (row === undefined) return;
  const { runId, againAt } = record;
  const why = `raw has ${row['answers']} answers of ${row['source']} ${row['resource']} that it does not know, because state/ has lost a part of what it asked for (state/runs/${runId}/batches), and their rows would be removed`;
  if (againAt !== undefined) throw notMadeAgain(record, why);
  throw new ExportError({
    code: 'STATE_LOST',
    message: `Run ${runId} is not published: ${why}. Put state/ back from a copy, or move raw/${runId}/ away and start a new run.`,
  });
}
