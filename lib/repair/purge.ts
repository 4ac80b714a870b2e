import { isHandedOn } from '../commit/forget-attempt.ts';
import { removeAll } from '../commit/remove-all.ts';
import { UsageError } from '../errors.ts';
import { type Head, readRunHead, writeHeadAt } from '../lake/head.ts';
import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import { lakeKey, lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { listKeys } from '../lake/list-keys.ts';
import { missingFiles } from '../lake/missing-files.ts';
import { namedFiles, replacedFiles, withFiles } from '../lake/named-files.ts';
import { tableKeys } from '../lake/table-files.ts';
import { readRunRecordIfAny, writeRunRecord } from '../run/run-record.ts';
import { type RewriteUnit, unitsOfPlaces } from '../run/unit.ts';
import { parseAttemptName } from '../run-id.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { sideBySide } from '../side-by-side.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { rewriteHistory } from './rewrite-history.ts';
import { committedHead } from './run-again.ts';
import type { RepairServices } from './start-repair.ts';

/**
 * Removes every row, raw answer and batch of a source for good: first from all tables and dates with one commit, then
 * from raw and state. The replaced table files are removed a day later. Throws UsageError SOURCE_UNKNOWN.
 */
export async function purge(source: string, services: RepairServices): Promise<Head> {
  const { lake } = services;
  const { head } = await committedHead(lake);
  if (!(await isKnown(lake, { head, source }))) {
    throw new UsageError(
      `${lake.name} has no data of a source ${JSON.stringify(source)}: name one of ${Object.keys(head.dialects).join(', ')}.`,
      'SOURCE_UNKNOWN',
    );
  }
  const committed = await rewriteHistory(services, {
    schemaOf: ({ base }) => base.schema,
    acceptLoss: true,
    unitsOf: () => unitsWith(source, { head, services }),
    headOf: ({ base: _, dialects: { [source]: __, ...dialects }, ...next }) => ({
      ...next,
      dialects,
      sources: next.sources.filter((name) => name !== source),
    }),
  });
  await forget(lake, { source, before: head, after: committed });
  return committed;
}

/**
 * The units that write each date of a table with rows of the source again, each file in the name of the run that wrote it.
 * A file that was lost has rows of nobody.
 */
async function unitsWith(
  source: string,
  { head, services }: { readonly head: Head; readonly services: Services },
): Promise<readonly RewriteUnit[]> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const named = namedFiles(head);
  const missing = new Set(await missingFiles(lake, named));
  const places: { readonly table: string; readonly date: string; readonly runId: string }[] = [];
  for (const files of named) {
    const { table, date, run } = files;
    const keys = tableKeys(table, files);
    if (keys.length === 0 || keys.some((key) => missing.has(key))) continue;
    const [row] = await db.rows(
      `select 1 from ${readParquet(await lake.localPaths(keys))} where export_source = ${quoteLiteral(source)} limit 1`,
    );
    if (row !== undefined) places.push({ table, date, runId: parseAttemptName(run).runId });
  }
  return unitsOfPlaces(places, { without: source });
}

async function isKnown(
  lake: Lake,
  { head, source }: { readonly head: Head; readonly source: string },
): Promise<boolean> {
  if (head.dialects[source] !== undefined || head.sources.includes(source)) return true;
  for await (const raw of listKeys(lake, 'raw')) if (raw.source === source) return true;
  // After a purge that was cut off, the source may be left only in the heads of earlier runs.
  for await (const { runId } of listKeys(lake, 'runHead')) {
    const earlier = await readRunHead(lake, runId);
    if (earlier?.dialects[source] !== undefined || earlier?.sources.includes(source) === true) return true;
  }
  return false;
}

interface Forget {
  readonly source: string;
  /** The committed heads before and after the source's rows were left out. */
  readonly before: Head;
  readonly after: Head;
}

/** Removes the source from raw and state. Heads of earlier runs get the new files; one that cannot is removed. */
async function forget(lake: Lake, options: Forget): Promise<void> {
  const { source, after } = options;
  await removeAll(lake, lakePrefix('raw', {}), (key) => key?.kind === 'raw' && key.source === source);
  await lake.remove([lakeKey('parents', { source })]);
  const runs: string[] = [];
  await removeAll(lake, 'state/runs/', (key) => {
    if (key?.kind === 'runConfig' || key?.kind === 'runHead') runs.push(key.runId);
    if (key?.kind === 'batch' || key?.kind === 'dialects') return key.source === source;
    return key?.kind === 'attemptHead' || isHandedOn(key);
  });
  await sideBySide(new Set(runs), OBJECTS_AT_ONCE, async (runId) => {
    await forgetInRecord(lake, { runId, source });
    if (runId !== after.runId) await forgetInHead(lake, { runId, ...options });
  });
}

async function forgetInRecord(
  lake: Lake,
  { runId, source }: { readonly runId: string; readonly source: string },
): Promise<void> {
  const record = await readRunRecordIfAny(lake, runId);
  if (record === undefined) return;
  const others = record.config.sources.filter(({ name }) => name !== source);
  await writeRunRecord(lake, {
    ...record,
    selected: record.selected.filter((name) => name !== source),
    config: { ...record.config, sources: others },
  });
}

/** Removes the source from an earlier run's head, so that no rollback brings it back. */
async function forgetInHead(
  lake: Lake,
  { runId, source, before, after }: Forget & { readonly runId: string },
): Promise<void> {
  const key = lakeKey('runHead', { runId });
  const head = await readRunHead(lake, runId);
  if (head === undefined) return;
  // Files that a later commit had replaced were not looked at: they may have rows of the source.
  if (replacedFiles(head, before).length > 0) return await lake.remove([key]);
  const { [source]: _, ...dialects } = head.dialects;
  const files = namedFiles(head).map((each) => ({ ...each, ...after.tables[each.table]?.dates[each.date] }));
  await writeHeadAt(lake, key, { ...head, tables: withFiles(head.tables, files, head.exportDate), dialects });
}
