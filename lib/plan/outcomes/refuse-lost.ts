import { ExportError, UsageError } from '../../errors.ts';
import { readRunHead } from '../../lake/head.ts';
import { NOT_COLLECTED, verdictOf } from '../../run/outcomes/verdicts.ts';
import type { PlannedSource } from '../../run/plan-file.ts';
import type { RunRecord } from '../../run/run-record.ts';
import { type RunSummary, readSummary } from '../../run/summary.ts';
import { RESOURCES } from '../../sources/resources.ts';
import { quoteLiteral, readParquet } from '../../sql.ts';
import type { Planning } from '../planning.ts';

/**
 * A committed run is made again only if raw still has every answer that the run counted. Otherwise the
 * source's rows of that date are an earlier run's. Throws UsageError REBUILD_IMPOSSIBLE or REPAIR_TOO_LATE,
 * which names the tables and counts the missing answers.
 */
export async function refuseLost(
  { db, lake, record }: Planning,
  planned: readonly PlannedSource[],
): Promise<void> {
  const committed = record.againAt === undefined ? undefined : await readRunHead(lake, record.runId);
  if (committed === undefined) return;
  const { sources } = await readSummary(lake, committed);
  const { minCoverage } = record.config;
  const { sources: verdicts } = await verdictOf(db, { sources: planned, minCoverage });
  for (const { name, outcomes } of verdicts) {
    const before = sources.find((source) => source.name === name)?.outcomes;
    if (before === undefined || answered(outcomes) >= answered(before)) continue;
    const gone = await db.rows(`
      -- grain: resource
      select resource, count(*) as answers
      from outcomes
      where source = ${quoteLiteral(name)} and error_code = ${quoteLiteral(NOT_COLLECTED)}
      group by resource
      order by resource`);
    if (gone.length === 0) continue;
    const counts = gone.map(({ resource, answers }) => `${answers} of ${resource}`).join(', ');
    throw notMadeAgain(
      record,
      `raw answers of the source ${name} are gone (${counts}), and its rows of that date would go with them`,
    );
  }
}

/** Why a repair or rebuild is refused, and what to do instead. */
function notMadeAgain({ runId, exportDate, isRepair }: RunRecord, why: string): UsageError {
  return new UsageError(
    `Run ${runId} of ${exportDate} is not made again: ${why}. ${isRepair ? 'Start a new run, which calls every listing.' : 'Name a later date.'}`,
    isRepair ? 'REPAIR_TOO_LATE' : 'REBUILD_IMPOSSIBLE',
  );
}

function answered({ ok, empty, gone }: RunSummary['sources'][number]['outcomes']): number {
  return ok + empty + gone;
}

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
