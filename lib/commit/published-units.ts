import { readState } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { PlanFile } from '../plan/plan-file.ts';
import type { PublishedUnit } from '../publish/unit.ts';
import type { Attempt } from '../run-id.ts';

/** What each unit of the attempt's plan put into the lake. Throws STATE_CORRUPT where one is missing. */
export async function publishedUnits(
  lake: Lake,
  attempt: Attempt,
  plan: PlanFile,
): Promise<readonly PublishedUnit[]> {
  const { runId, attempt: number } = attempt;
  const units: PublishedUnit[] = [];
  for (let unit = 0; unit < plan.units; unit++) {
    const key = lakeKey('published', { runId, attempt: number, unit });
    units.push((await readState(lake, key)) as PublishedUnit);
  }
  return units;
}
