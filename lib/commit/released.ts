import type { Head } from '../lake/head.ts';
import { KEPT_MS } from '../lake/head-months.ts';
import { type LakeKey, lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { removeAll } from '../lake/remove-all.ts';
import { type AttemptName, attemptName, parseAttemptName } from '../run-id.ts';
import { TABLES } from '../schema/tables.ts';
import { DAY_MS } from '../time.ts';

type Released = Head['released'][number];

export interface ReleasedOptions {
  readonly current: Head | undefined;
  readonly next: Omit<Head, 'released'>;
  /** Attempts with files that no head names. */
  readonly unnamed: readonly AttemptName[];
  readonly now: Date;
}

/**
 * The files that no head names after `next` replaces `current`. They are removed a day later. An attempt between the two
 * never committed, and writes for up to a day.
 */
export function releasedBy({ current, next, unnamed, now }: ReleasedOptions): readonly Released[] {
  const at = now.toISOString();
  // A table may have years of days, and nearly all of them stay.
  const left = Object.entries(current?.tables ?? {}).flatMap(([table, { dates }]) =>
    Object.entries(dates)
      .filter(([date, { run }]) => next.tables[table]?.dates[date]?.run !== run)
      .map(([date, { run }]) => ({ table, date, run, at })),
  );
  const { runId, exportDate: date } = next;
  const before = current?.attempt ?? 0;
  const ended = new Date(now.getTime() + DAY_MS).toISOString();
  const never = Array.from({ length: Math.max(0, next.attempt - before - 1) }, (_, index) => ({
    ...{ table: null, date, at: ended },
    run: attemptName({ runId, attempt: before + 1 + index }),
  }));
  const others = unnamed.map((run) => ({ table: null, date, run, at }));
  const waiting = (current?.released ?? []).filter((each) => !isDue(each, now));
  const all = [...[...waiting, ...never, ...others].filter((each) => !isNamed(next, each)), ...left];
  return [...new Map(all.map((each) => [placeOf(each), each])).values()];
}

/**
 * Removes the files that no head has named for a day. It keeps a file that the next head names again, as
 * after a rollback. Their entries leave the head with the next commit.
 */
export async function removeReleased(
  lake: Lake,
  { head, next, now }: { readonly head: Head; readonly next: Pick<Head, 'tables'>; readonly now: Date },
): Promise<void> {
  const due = head.released.filter((each) => isDue(each, now));
  for (const each of due) {
    const { table, date, run } = each;
    if (table === null || isNamed(head, each) || isNamed(next, each)) continue;
    await removeAll(lake, lakePrefix('table', { table, exportDate: date, ...parseAttemptName(run) }));
  }
  // The lease gives each number once. An attempt may have files on all dates, under the names of several runs.
  const never = new Set(
    due.flatMap(({ table, run }) => (table === null ? [parseAttemptName(run).attempt] : [])),
  );
  if (never.size === 0) return;
  const waiting = new Set(head.released.map(placeOf));
  const isLeft = (file: LakeKey | undefined) => {
    if (file?.kind !== 'table' || !never.has(file.attempt)) return false;
    const place = { table: file.table, date: file.exportDate, run: attemptName(file) };
    return !waiting.has(placeOf(place)) && !isNamed(head, place) && !isNamed(next, place);
  };
  for (const { name } of TABLES) await removeAll(lake, lakePrefix('table', { table: name }), isLeft);
}

const placeOf = ({ table, date, run }: Pick<Released, 'table' | 'date' | 'run'>) => `${table} ${date} ${run}`;

function isDue({ at }: Released, now: Date): boolean {
  return Date.parse(at) + KEPT_MS <= now.getTime();
}

function isNamed(
  { tables }: Pick<Head, 'tables'>,
  { table, date, run }: Pick<Released, 'table' | 'date' | 'run'>,
): boolean {
  return table !== null && tables[table]?.dates[date]?.run === run;
}
