import { isHandedOn } from '../commit/forget-attempt.ts';
import { UsageError } from '../errors.ts';
import { type Head, readRunHead, writeHeadAt } from '../lake/head.ts';
import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import { lakeKey, lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { listKeys } from '../lake/list-keys.ts';
import { missingFiles } from '../lake/missing-files.ts';
import { type NamedFiles, namedFiles, replacedFiles, withFiles } from '../lake/named-files.ts';
import { removeAll } from '../lake/remove-all.ts';
import { forgetRawSums } from '../lake/sums/raw-sums.ts';
import { tableKeys } from '../lake/table-files.ts';
import { type Abandoned, readRunRecordIfAny, writeRunRecord } from '../run/run-record.ts';
import { unitsOfDates } from '../run/unit.ts';
import { attemptName, parseAttemptName } from '../run-id.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { sideBySide } from '../side-by-side.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { didYouMean } from '../text.ts';
import { rewriteHistory } from './rewrite-history.ts';
import { committedHead, type RepairServices } from './run-again.ts';

/**
 * Removes every row, raw answer and batch of a source for good: first from all tables and dates with one commit, then
 * from raw and state. Replaced files and those that no head names go a day later. Throws UsageError SOURCE_UNKNOWN.
 */
export async function purge(source: string, services: RepairServices): Promise<Head> {
  const { lake } = services;
  const head = await headWith(source, lake);
  const committed = await rewriteHistory(services, {
    schemaOf: ({ base }) => base.schema,
    acceptLoss: true,
    unitsOf: async () => {
      const files = await filesOfSource(source, services);
      const dates = files.map(({ table, date, run }) => ({
        table,
        date,
        runId: parseAttemptName(run).runId,
      }));
      return unitsOfDates(dates, { without: source });
    },
    abandonedOf: ({ record }) => unnamedAttempts(services, { head, attempt: record.attempt }),
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
 * Other attempts with files in the folders of tables that the head neither names nor has released. Whatever
 * left them, they may have rows of the source.
 */
async function unnamedAttempts(
  { lake, now }: Services,
  { head, attempt }: { readonly head: Head; readonly attempt: number },
): Promise<readonly Abandoned[]> {
  const at = now().toISOString();
  const released = new Set(head.released.map(({ table, date, run }) => `${table} ${date} ${run}`));
  const found = new Map<string, Abandoned>();
  for await (const key of listKeys(lake, 'table')) {
    const { table, exportDate: date } = key;
    const run = attemptName(key);
    const isKnown =
      key.attempt === attempt ||
      head.tables[table]?.dates[date]?.run === run ||
      released.has(`${table} ${date} ${run}`);
    if (!isKnown) found.set(run, { run, date, at });
  }
  return [...found.values()];
}

/** The files of tables with rows of a source, and the number of these rows. */
interface FilesOfSource extends NamedFiles {
  readonly rows: number;
}

/** The committed head. Throws UsageError SOURCE_UNKNOWN if nothing of the source is in the lake. */
async function headWith(source: string, lake: Lake): Promise<Head> {
  const { head } = await committedHead(lake);
  if (await isKnown(lake, { head, source })) return head;
  const known = Object.keys(head.dialects);
  const otherwise = known.length === 0 ? 'it has no data of any source' : `name one of ${known.join(', ')}`;
  const cure = didYouMean(source, { known, otherwise });
  throw new UsageError(
    `${lake.name} has no data of a source ${JSON.stringify(source)}: ${cure}`,
    'SOURCE_UNKNOWN',
  );
}

/**
 * What a purge writes again: the files of each date of a table with rows of the source. Each keeps the name
 * of the run that wrote it. A lost file has no rows. Throws UsageError SOURCE_UNKNOWN.
 */
export async function filesOfSource(source: string, services: Services): Promise<readonly FilesOfSource[]> {
  const { lake } = services;
  const head = await headWith(source, lake);
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const named = namedFiles(head);
  const missing = new Set(await missingFiles(lake, named));
  const found: FilesOfSource[] = [];
  for (const files of named) {
    const keys = tableKeys(files.table, files);
    if (keys.length === 0 || keys.some((key) => missing.has(key))) continue;
    const [row] = await db.rows(
      `select count(*) as n from ${readParquet(await lake.localPaths(keys))} where export_source = ${quoteLiteral(source)}`,
    );
    const rows = Number(row?.['n']);
    if (rows > 0) found.push({ ...files, rows });
  }
  return found;
}

async function isKnown(
  lake: Lake,
  { head, source }: { readonly head: Head; readonly source: string },
): Promise<boolean> {
  if (head.dialects[source] !== undefined || head.sources.includes(source)) return true;
  for await (const raw of listKeys(lake, 'raw')) if (raw.source === source) return true;
  // After an interrupted purge, the source may be left only in the heads of earlier runs.
  for await (const { runId } of listKeys(lake, 'runHead')) {
    const earlier = await readRunHead(lake, runId);
    if (earlier?.dialects[source] !== undefined || earlier?.sources.includes(source) === true) return true;
  }
  return false;
}

interface Forget {
  readonly source: string;
  /** The committed heads before and after the removal of the source's rows. */
  readonly before: Head;
  readonly after: Head;
}

/** Removes the source from raw and state. Heads of earlier runs get the new files; a head that cannot is removed. */
async function forget(lake: Lake, options: Forget): Promise<void> {
  const { source, after } = options;
  await removeAll(lake, lakePrefix('raw', {}), (key) => key?.kind === 'raw' && key.source === source);
  await lake.remove([lakeKey('parents', { source }), lakeKey('turn', { source })]);
  await removeAll(lake, lakePrefix('figures', {}));
  const runs: string[] = [];
  await removeAll(lake, 'state/runs/', (key) => {
    if (key?.kind === 'runConfig' || key?.kind === 'runHead') runs.push(key.runId);
    if (key?.kind === 'batch' || key?.kind === 'dialects' || key?.kind === 'pause')
      return key.source === source;
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
  await forgetRawSums(lake, { runId, source });
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
  // The purge did not read files that a later commit had replaced: they may have rows of the source.
  if (replacedFiles(head, before).length > 0) return await lake.remove([key]);
  const { [source]: _, ...dialects } = head.dialects;
  const files = namedFiles(head).map((each) => ({ ...each, ...after.tables[each.table]?.dates[each.date] }));
  const tables = withFiles(head.tables, files, head.exportDate);
  const sources = head.sources.filter((name) => name !== source);
  await writeHeadAt(lake, key, { ...head, tables, dialects, sources });
}
