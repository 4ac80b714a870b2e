import type { Config } from '../config/config.ts';
import { type Head, readRunHead } from '../lake/head.ts';
import { type LakeKey, lakePrefix, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { committedDates, oldestOf } from '../lake/named-files.ts';
import { removeAll } from '../lake/remove-all.ts';
import { exportDate, parseAttemptName, runIdAt } from '../run-id.ts';
import { DAY_MS } from '../time.ts';

/** A replaced run can be rolled back to for one day; this is twice as long, to be safe. */
const ROLLBACK_DAYS = 2;

/** Settings for how many days raw answers are kept; 0 = removed after the commit. */
export type Retention = Pick<Config, 'rawRetentionDays' | 'dailyRetentionDays' | 'timeZone'>;

export interface ExpireRawOptions {
  readonly lake: Lake;
  /** The head that was just committed. */
  readonly head: Head;
  readonly retention: Retention;
  readonly now: Date;
}

/**
 * Removes older raw answers and the working state of their runs. It lists only the part of raw that it
 * removes, unless the daily tables keep fewer days than raw.
 */
export async function expireRaw({ lake, head, retention, now }: ExpireRawOptions): Promise<void> {
  const { rawRetentionDays: days, timeZone } = retention;
  const oldest = runIdAt(new Date(now.getTime() - days * DAY_MS));
  const oldestDate = days === 0 ? '' : oldestOf(await datesOf(lake, { head, retention }), days);
  const covered = runIdAt(new Date(now.getTime() - ROLLBACK_DAYS * DAY_MS));
  // The clock alone may be wrong, and dates alone have no hours: both must call it old.
  const isOld = (runId: string) =>
    days === 0 ? runId <= head.runId : runId < oldest && exportDate(runId, timeZone) < oldestDate;
  for (const runId of await runsWithRaw(lake, isOld)) {
    // State goes first. If this is cut off, a later commit finds the run by its raw and continues.
    const isCovered = runId < covered && (await isReplaced(lake, { runId, head }));
    await removeAll(lake, lakePrefix('runHead', { runId }), isCovered ? () => true : isWorkingState);
    await removeAll(lake, lakePrefix('raw', { runId }));
  }
}

/** The committed dates. Where the daily tables keep fewer days than raw, the dates of raw are added. */
async function datesOf(
  lake: Lake,
  { head, retention }: Pick<ExpireRawOptions, 'head' | 'retention'>,
): Promise<readonly string[]> {
  const { rawRetentionDays, dailyRetentionDays, timeZone } = retention;
  const dates = committedDates(head);
  if (dailyRetentionDays === null || dailyRetentionDays >= rawRetentionDays) return dates;
  const runs = await runsWithRaw(lake, (runId) => runId <= head.runId);
  return [...dates, ...runs.map((runId) => exportDate(runId, timeZone))];
}

/**
 * True where a later run of the same date has replaced the whole run. Its files were swept a day later, so
 * nobody can roll back to it. Each head names years of days, so heads of 15-minute runs would fill terabytes.
 */
async function isReplaced(
  lake: Lake,
  { runId, head }: { readonly runId: string; readonly head: Head },
): Promise<boolean> {
  if (runId === head.runId) return false;
  const { exportDate } = (await readRunHead(lake, runId)) ?? {};
  const last = exportDate === undefined ? undefined : head.tables.runs?.dates[exportDate]?.run;
  return last !== undefined && parseAttemptName(last).runId !== runId;
}

/** True for working state. Heads, schemas and summaries stay, for `rollback` and `status`. */
function isWorkingState({ kind }: Partial<LakeKey> = {}): boolean {
  return kind !== 'runHead' && kind !== 'attemptHead' && kind !== 'summary' && kind !== 'schema';
}

/** The old run ids below raw/. Keys come in the order of their runs, so the first young one ends it. */
async function runsWithRaw(lake: Lake, isOld: (runId: string) => boolean): Promise<readonly string[]> {
  const runs = new Set<string>();
  for await (const { runId } of listKeys(lake, 'raw')) {
    if (runs.has(runId)) continue;
    if (!isOld(runId)) break;
    runs.add(runId);
  }
  return [...runs];
}
