import { UsageError } from '../../errors.ts';
import { readRunHead } from '../../lake/head.ts';
import { NOT_COLLECTED, verdictOf } from '../../run/outcomes/verdicts.ts';
import type { PlannedSource } from '../../run/plan-file.ts';
import type { RunRecord } from '../../run/run-record.ts';
import { type RunSummary, readSummary } from '../../run/summary.ts';
import { quoteLiteral } from '../../sql.ts';
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
export function notMadeAgain({ runId, exportDate, isRepair }: RunRecord, why: string): UsageError {
  return new UsageError(
    `Run ${runId} of ${exportDate} is not made again: ${why}. ${isRepair ? 'Start a new run, which calls every listing.' : 'Name a later date.'}`,
    isRepair ? 'REPAIR_TOO_LATE' : 'REBUILD_IMPOSSIBLE',
  );
}

function answered({ ok, empty, gone }: RunSummary['sources'][number]['outcomes']): number {
  return ok + empty + gone;
}
