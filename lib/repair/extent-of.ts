import { lakePrefix } from '../lake/keys.ts';
import { type NamedFiles, tableKeys } from '../lake/named-files.ts';
import type { Extent, OperationPreview } from '../run/payloads.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { quoteLiteral } from '../sql.ts';

const NOTHING: Extent = { files: 0, rows: 0, bytes: 0 };
/** What an operation would change that changes nothing. */
export const NO_CHANGES: OperationPreview = {
  runs: 0,
  rewritten: NOTHING,
  removed: NOTHING,
  restored: NOTHING,
  raw: { files: 0, bytes: 0 },
};

/** The footers that one statement reads. */
const FOOTERS_AT_ONCE = 500;

/** The number of these files, with their rows and bytes. A lost file does not count. */
export async function extentOf(files: readonly NamedFiles[], services: Services): Promise<Extent> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const sizes = new Map<string, number>();
  for (const table of new Set(files.map((each) => each.table)))
    for await (const { key, size } of lake.list(lakePrefix('table', { table }))) sizes.set(key, size);
  const keys = files.flatMap((each) => tableKeys(each.table, each)).filter((key) => sizes.has(key));
  let rows = 0;
  for (let at = 0; at < keys.length; at += FOOTERS_AT_ONCE) {
    const paths = await lake.localPaths(keys.slice(at, at + FOOTERS_AT_ONCE));
    const [sum] = await db.rows(
      `select sum(num_rows) as n from parquet_file_metadata([${paths.map(quoteLiteral).join(', ')}])`,
    );
    rows += Number(sum?.['n']);
  }
  return { files: keys.length, rows, bytes: keys.reduce((all, key) => all + (sizes.get(key) ?? 0), 0) };
}
