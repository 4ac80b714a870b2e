import type { Head } from '../lake/head.ts';
import { lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import type { Abandoned } from '../run/run-record.ts';
import { parseAttemptName } from '../run-id.ts';
import { TABLES } from '../schema/tables.ts';
import { removeAll } from './remove-all.ts';

/** How long files stay after a commit stopped naming them: a reader that began before the commit is done by then. */
export const KEPT_MS = 24 * 3_600_000;

type Released = Head['released'][number];

export interface ReleasedOptions {
  readonly current: Head | undefined;
  readonly next: Omit<Head, 'released'>;
  /** Attempts that never committed. */
  readonly abandoned: readonly Abandoned[];
  readonly now: Date;
}

/** The files that no head names once `next` has replaced `current`. They are removed a day later. */
export function releasedBy({ current, next, abandoned, now }: ReleasedOptions): readonly Released[] {
  const at = now.toISOString();
  // There may be years of days, and nearly all of them stay.
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
 * Removes the files that no head has named for a day and the next does not name again, as a rollback's may. They leave
 * the head with the commit that comes next.
 */
export async function removeReleased(
  lake: Lake,
  { head, next, now }: { readonly head: Head; readonly next: Pick<Head, 'tables'>; readonly now: Date },
): Promise<void> {
  for (const each of head.released) {
    if (!isDue(each, now)) continue;
    for (const table of each.table === null ? TABLES.map(({ name }) => name) : [each.table]) {
      if (isNamed(head, { ...each, table }) || isNamed(next, { ...each, table })) continue;
      const place = { table, exportDate: each.date, ...parseAttemptName(each.run) };
      await removeAll(lake, lakePrefix('table', place));
    }
  }
}

function isDue({ at }: Released, now: Date): boolean {
  return Date.parse(at) + KEPT_MS <= now.getTime();
}

function isNamed({ tables }: Pick<Head, 'tables'>, { table, date, run }: Released): boolean {
  return table !== null && tables[table]?.dates[date]?.run === run;
}
