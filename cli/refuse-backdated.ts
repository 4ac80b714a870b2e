import type { Config } from '#lib/config/config.ts';
import { readSchedule } from '#lib/config/schedule.ts';
import { UsageError } from '#lib/errors.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { storedRaw } from '#lib/run/raw-of-run.ts';
import { readRunRecordIfAny } from '#lib/run/run-record.ts';
import { runIdAt } from '#lib/run-id.ts';
import { HOUR_MS, toTheSecond } from '#lib/time.ts';

/**
 * Refuses a run with a time further in the past than the schedule's longest gap: the API's present answers
 * would count as its past ones. A run that has begun continues; `lake` is undefined if nobody can know here.
 * Throws UsageError RUN_BACKDATED.
 */
export async function refuseBackdated(
  time: Date,
  { config, lake, now }: { readonly config: Config; readonly lake: Lake | undefined; readonly now: Date },
): Promise<void> {
  const hours = readSchedule(config, now).longestGapHours;
  if (now.getTime() - time.getTime() <= hours * HOUR_MS) return;
  const id = runIdAt(time);
  if (lake !== undefined && (await readRunRecordIfAny(lake, id)) !== undefined) return;
  if (lake !== undefined && (await storedRaw(lake, { runId: id })).length > 0) return;
  throw new UsageError(
    `--run-time ${toTheSecond(time)} is more than ${hours} hours ago, which is the longest time between two runs of the schedule. No run of that time has begun, so today's answers would count as old ones. Leave --run-time out. If you mean it, add --backdate.`,
    'RUN_BACKDATED',
  );
}
