import { parseAttemptName } from '../run-id.ts';
import type { Head, TableFiles, TableHead } from './head.ts';
import { lakeKey, lakePrefix } from './keys.ts';
import type { Lake } from './lake.ts';

/** Every file of a table and date that a head names. */
export interface NamedFiles extends TableFiles {
  readonly table: string;
  readonly date: string;
}

/** The files that a head names, one entry for each table and date. */
export function namedFiles({ tables }: Pick<Head, 'tables'>): readonly NamedFiles[] {
  return Object.entries(tables).flatMap(([table, { dates }]) =>
    Object.entries(dates).map(([date, files]) => ({ table, date, ...files })),
  );
}

/** The files that only `before` names. A later commit replaced them, and they are removed a day after it. */
export function replacedFiles(before: Head, now: Head): readonly NamedFiles[] {
  return Object.entries(before.tables).flatMap(([table, { dates }]) => {
    const shown = now.tables[table]?.dates ?? {};
    // Over years of days nearly all are the same, so it makes nothing of those.
    return Object.keys(dates).flatMap((date) => {
      const files = dates[date];
      return files === undefined || shown[date]?.run === files.run ? [] : [{ table, date, ...files }];
    });
  });
}

/**
 * The files that anything built on `before` needs while `now` is committed. They are its newest, and those
 * that `now` does not name. Another date may lose its file, and only that date lacks it.
 */
export function neededFiles(before: Head, now: Head): readonly NamedFiles[] {
  const newest = Object.entries(before.tables).map(([table, files]) => ({ table, ...files.newest }));
  return [...newest, ...replacedFiles(before, now)];
}

/**
 * A head's tables with new files: each of their dates names them. The newest of a table are the files of the
 * run's own date. Without those, they are the files of its former newest date, if that was written again.
 */
export function withFiles(
  tables: Head['tables'],
  written: readonly NamedFiles[],
  exportDate: string,
): Head['tables'] {
  const after: Record<string, TableHead> = { ...tables };
  for (const [table, named] of Map.groupBy(written, (each) => each.table)) {
    const before = tables[table];
    const filesOf = new Map(named.map(({ table: _, date, ...files }) => [date, files]));
    const date = filesOf.has(exportDate) ? exportDate : (before?.newest.date ?? named.at(-1)?.date ?? '');
    const files = filesOf.get(date);
    const newest = files === undefined ? before?.newest : { date, ...files };
    if (newest !== undefined) {
      after[table] = { newest, dates: { ...before?.dates, ...Object.fromEntries(filesOf) } };
    }
  }
  return after;
}

/** The tables of an earlier head, each date with the files that a later one names for it. */
export function withFilesOf(head: Head, later: Head): Head['tables'] {
  const files = namedFiles(head).map((each) => ({ ...each, ...later.tables[each.table]?.dates[each.date] }));
  return withFiles(head.tables, files, head.exportDate);
}

/** The keys of a table's files of one date in the head. */
export function tableKeys(table: string, files: TableFiles & { readonly date: string }): readonly string[] {
  const place = { table, exportDate: files.date, ...parseAttemptName(files.run) };
  return files.parts.map((part) => lakeKey('table', { ...place, part }));
}

/** The keys of the files that the lake has lost. */
export async function missingFiles(lake: Lake, files: readonly NamedFiles[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [table, named] of Map.groupBy(files, (each) => each.table)) {
    const there = new Set<string>();
    // A listing of each date costs more calls than one of the table, but old lakes have thousands of dates.
    const prefixes = new Set(named.map(({ date }) => lakePrefix('table', { table, exportDate: date })));
    const whole = lakePrefix('table', { table });
    for (const prefix of prefixes.size > 10 ? [whole] : prefixes) {
      for await (const { key } of lake.list(prefix)) there.add(key);
    }
    missing.push(...named.flatMap((each) => tableKeys(table, each)).filter((key) => !there.has(key)));
  }
  return missing;
}

/** The dates that have a committed run. */
export function committedDates(head: Pick<Head, 'tables'> | undefined): readonly string[] {
  return Object.keys(head?.tables['runs']?.dates ?? {});
}

/**
 * The oldest of the newest `count` dates; '' where there are fewer. Retention counts dates and ignores their
 * age: a clock that is years ahead would make all of them old.
 */
export function oldestOf(dates: Iterable<string>, count: number): string {
  const newestFirst = [...new Set(dates)].sort().reverse();
  return newestFirst[count - 1] ?? '';
}
