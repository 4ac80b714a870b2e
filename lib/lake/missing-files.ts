import type { Head } from './head.ts';
import { lakePrefix } from './keys.ts';
import type { Lake } from './lake.ts';
import { tableKeys } from './table-files.ts';

/** Every file of a table and date that a head names. */
export interface NamedFiles {
  readonly table: string;
  readonly date: string;
  readonly run: string;
  readonly parts: readonly number[];
}

/** The files that a head names, one entry for each table and date. */
export function namedFiles({ tables }: Pick<Head, 'tables'>): readonly NamedFiles[] {
  return Object.entries(tables).flatMap(([table, { dates }]) =>
    Object.entries(dates).map(([date, files]) => ({ table, date, ...files })),
  );
}

/**
 * The files that `before` names and `now` does not: a later commit replaced them, and they are removed a day after it.
 */
export function replacedFiles(before: Head, now: Head): readonly NamedFiles[] {
  return namedFiles(before).filter(({ table, date, run }) => now.tables[table]?.dates[date]?.run !== run);
}

/** Keys of the files that are not in the lake any more. */
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
