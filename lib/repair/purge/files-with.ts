import { missingFiles, type NamedFiles, tableKeys } from '../../lake/named-files.ts';
import type { Services } from '../../runtime/services.ts';
import { openStageDb } from '../../runtime/stage-duckdb.ts';
import { isRemovedSql, mayHave, type Removed } from '../../schema/removed.ts';
import { readParquet } from '../../sql.ts';

/** The files of a date of a table with rows that would go, and the number of these rows of one source. */
export interface FilesWithRows extends NamedFiles {
  readonly source: string;
  readonly rows: number;
}

/** Which of the files have rows of what is removed, by source; without a source, of all. A lost file has no rows. */
export async function filesWith(
  removed: Partial<Removed>,
  { named, services }: { readonly named: readonly NamedFiles[]; readonly services: Services },
): Promise<readonly FilesWithRows[]> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const asked = named.filter(({ table }) => mayHave(table, removed.record));
  const missing = new Set(await missingFiles(lake, asked));
  const found: FilesWithRows[] = [];
  for (const files of asked) {
    const keys = tableKeys(files.table, files);
    if (keys.length === 0 || keys.some((key) => missing.has(key))) continue;
    const rows = await db.rows(`
      -- grain: source
      select export_source as source, count(*) as n
      from ${readParquet(await lake.localPaths(keys))}
      where ${isRemovedSql(files.table, removed)}
      group by all`);
    for (const { source, n } of rows) found.push({ ...files, source: String(source), rows: Number(n) });
  }
  return found;
}
