import { setFaults } from './compare-parts.ts';
import type { Answered, ModelRun } from './reference-lake.ts';
import type { World } from './world.ts';

/** Where R3 does not hold: what was promised has one outcome in the last run of each date, and `runs` counts those of all. */
export async function outcomeFaults(world: World, runs: readonly ModelRun[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [date, own] of Map.groupBy(runs, (run) => run.date)) {
    const last = own.at(-1);
    if (last === undefined || last.isExpired) continue;
    const are = (await world.rows('outcomes', date)).map(
      (row) => `${row.export_source} ${row.export_run_id} ${row.resource} ${row.parent_id} ${row.outcome}`,
    );
    const due = last.sources.flatMap((source) => {
      const asked = askedIn(last, source);
      return asked === undefined ? [] : outcomesOf(asked, source);
    });
    found.push(...setFaults(`outcomes of ${date}`, are, due));
    const counts = (await world.rows('runs', date)).map((row) => {
      const all = [row.ok, row.empty, row.gone, row.denied, row.failed].map(Number);
      return `${row.export_source} ${row.export_run_id} ${all.reduce((sum, each) => sum + each, 0)}`;
    });
    const counted = own.flatMap((run) =>
      run.selected.map((source) => `${source} ${run.runId} ${outcomesOf(run, source).length}`),
    );
    found.push(...setFaults(`counts of runs of ${date}`, counts, counted));
  }
  return found;
}

/** The run that last called the source, as long as the config had it. */
function askedIn(run: ModelRun, source: string): ModelRun | undefined {
  for (const each of [...run.history, run].reverse()) {
    if (each.selected.includes(source)) return each;
    if (!each.sources.includes(source)) return undefined;
  }
  return undefined;
}

function outcomesOf({ runId, answers }: ModelRun, source: string): readonly string[] {
  const answer = answers.get(source);
  const at = (resource: string, parent: string | null, outcome: string) =>
    `${source} ${runId} ${resource} ${parent} ${outcome}`;
  const whole = ['app_groups', 'licenses'].map((resource) => at(resource, null, 'empty'));
  if (answer === undefined || answer.players === 'failed') return [...whole, at('players', null, 'failed')];
  const children = [...answer.screens].flatMap(([player, end]) => [
    at('screens', player, endOf(end)),
    at('pending_file_transfers', player, 'empty'),
  ]);
  return [...whole, at('players', null, endOf(answer.players)), ...children];
}

const endOf = (end: Answered['screens'] extends ReadonlyMap<string, infer End> ? End : never) =>
  typeof end === 'string' ? end : end.size === 0 ? 'empty' : 'ok';
