import type { Head } from '../lake/head.ts';
import { KEPT_MS } from '../lake/head-months.ts';
import { type LakeKey, lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { removeAll } from '../lake/remove-all.ts';
import type { Abandoned } from '../run/run-record.ts';
import { attemptName, parseAttemptName } from '../run-id.ts';
import { TABLES } from '../schema/tables.ts';

type Released = Head['released'][number];

export interface ReleasedOptions {
  readonly current: Head | undefined;
  readonly next: Omit<Head, 'released'>;
  /** Attempts that never committed. */
  readonly abandoned: readonly Abandoned[];
  readonly now: Date;
}

/** The files that no head names after `next` replaces `current`. They are removed a day later. */
export function releasedBy({ current, next, abandoned, now }: ReleasedOptions): readonly Released[] {
  const at = now.toISOString();
  // A table may have years of days, and nearly all of them stay.
  const left = Object.entries(current?.tables ?? {}).flatMap(([table, { dates }]) =>
    Object.entries(dates)
      .filter(([date, { run }]) => next.tables[table]?.dates[date]?.run !== run)
      .map(([date, { run }]) => ({ table, date, run, at })),
  );
  const never = abandoned.map((each) => ({ table: null, ...each }));
  const waiting = (current?.released ?? []).filter((each) => !isDue(each, now));
  const all = [...[...waiting, ...never].filter((each) => !isNamed(next, each)), ...left];
  return [...new Map(all.map((each) => [`${each.table} ${each.date} ${each.run}`, each])).values()];
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
  const never = new Set(due.flatMap(({ table, run }) => (table === null ? [run] : [])));
  if (never.size === 0) return;
  // An attempt that rewrites history has files on all dates.
  const isLeft = (file: LakeKey | undefined) => {
    if (file?.kind !== 'table' || !never.has(attemptName(file))) return false;
    const named = { table: file.table, date: file.exportDate, run: attemptName(file) };
    return !isNamed(head, named) && !isNamed(next, named);
  };
  for (const { name } of TABLES) await removeAll(lake, lakePrefix('table', { table: name }), isLeft);
}

function isDue({ at }: Released, now: Date): boolean {
  return Date.parse(at) + KEPT_MS <= now.getTime();
}

function isNamed(
  { tables }: Pick<Head, 'tables'>,
  { table, date, run }: Pick<Released, 'table' | 'date' | 'run'>,
): boolean {
  return table !== null && tables[table]?.dates[date]?.run === run;
}
