import { UsageError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { readRunRecordIfAny } from '../run/run-record.ts';
import { exportDate } from '../run-id.ts';

/**
 * Refuses a run that replaces the newest run's day only because the config has a new time zone. In the old
 * zone the run has a day of its own. Throws UsageError ZONE_MOVED.
 */
export async function refuseMovedDay(
  head: Head,
  { lake, runId, timeZone }: { readonly lake: Lake; readonly runId: string; readonly timeZone: string },
): Promise<void> {
  const date = exportDate(runId, timeZone);
  if (head.runId === runId || date > head.exportDate) return;
  const before = (await readRunRecordIfAny(lake, head.runId))?.config.timeZone ?? timeZone;
  if (before === timeZone || exportDate(runId, before) <= head.exportDate) return;
  throw new UsageError(
    `timeZone was ${before} and is ${timeZone} now, where it is still ${date}: this run would replace the rows of ${head.exportDate}. Start it again when the next day has begun in ${timeZone}, or put the old zone back.`,
    'ZONE_MOVED',
  );
}
