import { isHandedOn } from '../commit/forget-attempt.ts';
import { putHead } from '../commit/put-head.ts';
import { removeAll } from '../commit/remove-all.ts';
import { UsageError } from '../errors.ts';
import { type Head, readRunHead, writeHeadAt } from '../lake/head.ts';
import { OBJECTS_AT_ONCE, writeJson } from '../lake/json-object.ts';
import { lakeKey, lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { listKeys } from '../lake/list-keys.ts';
import type { NamedFiles } from '../lake/named-files.ts';
import { readRunRecordIfAny, writeRunRecord } from '../run/run-record.ts';
import { readSummary } from '../run/summary.ts';
import { sideBySide } from '../side-by-side.ts';
import { withAttempt } from '../start/take-attempt.ts';
import { type Renamed, renameFiles, rewriteWithout } from './purge-tables.ts';
import { committedHead, stillCommitted } from './run-again.ts';
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
  return await withAttempt(head.runId, services, async (taken) => {
    const current = stillCommitted(taken, head);
    const record = await readRunRecordIfAny(lake, head.runId);
    const tables = await rewriteWithout(source, { head, taken, record, services });
    const { released: _, base: ____, ...rest } = head;
    const { [source]: __, ...dialects } = head.dialects;
    const next = {
      ...rest,
      attempt: taken.attempt,
      committedAt: services.now().toISOString(),
      tables: renameFiles(head, tables),
      dialects,
      sources: head.sources.filter((name) => name !== source),
    };
    await writeJson(lake, lakeKey('summary', next), await readSummary(lake, head));
    const committed = await putHead(services, {
      current,
      next,
      lease: taken,
      abandoned: taken.abandoned,
      rawRetentionDays: services.config.rawRetentionDays,
    });
    await forget(lake, { source, renamed: tables, newest: head.runId });
    return committed;
  });
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

/** Removes the source from raw and state. Heads of earlier runs get the new files; one that cannot is removed. */
async function forget(
  lake: Lake,
  options: { readonly source: string; readonly renamed: readonly Renamed[]; readonly newest: string },
): Promise<void> {
  const { source, renamed, newest } = options;
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
    if (runId !== newest) await forgetInHead(lake, { runId, source, renamed });
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
  options: { readonly runId: string; readonly source: string; readonly renamed: readonly Renamed[] },
): Promise<void> {
  const { runId, source, renamed } = options;
  const key = lakeKey('runHead', { runId });
  const head = await readRunHead(lake, runId);
  if (head === undefined) return;
  const { [source]: _, ...dialects } = head.dialects;
  const tables = renameFiles(head, renamed);
  const isClean = Object.entries(tables).every(([table, { dates }]) =>
    Object.entries(dates).every(([date, { run }]) => isOfNow(renamed, { table, date, run })),
  );
  if (!isClean) await lake.remove([key]);
  else await writeHeadAt(lake, key, { ...head, tables, dialects });
}

/** True if the purge wrote the files, or found no row of the source in them. */
function isOfNow(renamed: readonly Renamed[], files: Pick<NamedFiles, 'table' | 'date' | 'run'>): boolean {
  return renamed.some(
    ({ table, date, to }) => table === files.table && date === files.date && to.run === files.run,
  );
}
