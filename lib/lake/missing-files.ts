import { lakePrefix } from './keys.ts';
import type { Lake } from './lake.ts';
import type { NamedFiles } from './named-files.ts';
import { tableKeys } from './table-files.ts';

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
