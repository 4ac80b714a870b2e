import { OBJECTS_AT_ONCE, readState } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';
import { sideBySide } from '../side-by-side.ts';
import type { PlanFile } from './plan-file.ts';
import type { PublishedUnit } from './unit.ts';

/** What each unit of the attempt's plan put into the lake. Throws STATE_CORRUPT where one is missing. */
export async function publishedUnits(
  lake: Lake,
  attempt: Attempt,
  plan: PlanFile,
): Promise<readonly PublishedUnit[]> {
  const { runId, attempt: number } = attempt;
  const keys = Array.from({ length: plan.units }, (_, unit) =>
    lakeKey('published', { runId, attempt: number, unit }),
  );
  return await sideBySide(
    keys,
    OBJECTS_AT_ONCE,
    async (key) => (await readState(lake, key)) as PublishedUnit,
  );
}
