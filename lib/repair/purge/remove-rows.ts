import { isDeepStrictEqual } from 'node:util';
import { isHandedOn } from '../../commit/forget-attempt.ts';
import { hasCode, instead } from '../../errors.ts';
import { type Head, readRunHead, writeHeadAt } from '../../lake/head.ts';
import { OBJECTS_AT_ONCE } from '../../lake/json-object.ts';
import { lakeKey, lakePrefix, listKeys } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { type NamedFiles, replacedFiles, withFilesOf } from '../../lake/named-files.ts';
import { removeAll } from '../../lake/remove-all.ts';
import { changeRawSums } from '../../lake/sums/raw-sums.ts';
import { readRunRecordIfAny, writeRunRecord } from '../../run/run-record.ts';
import { unitsOfFiles } from '../../run/unit.ts';
import { type AttemptName, attemptName } from '../../run-id.ts';
import { parentOf, type Removed, schemaWithout } from '../../schema/removed.ts';
import { readSchema, writeSchema } from '../../schema/schema.ts';
import { sideBySide } from '../../side-by-side.ts';
import { rewriteHistory } from '../rewrite-history.ts';
import type { RepairServices } from '../run-again.ts';
import { withoutParent } from './in-state.ts';

interface RemoveRows {
  readonly before: Head;
  readonly unitsOf: () => Promise<readonly NamedFiles[]>;
  readonly services: RepairServices;
}

/** Writes these files again without the rows, and commits that. */
export async function removeRows(removed: Removed, { before, unitsOf, services }: RemoveRows): Promise<Head> {
  return await rewriteHistory(services, {
    schemaOf: ({ base }) => schemaWithout(base.schema, removed),
    acceptLoss: true,
    unitsOf: async () => unitsOfFiles(await unitsOf(), { without: removed }),
    unnamedOf: ({ record }) => unnamedAttempts(services.lake, { head: before, attempt: record.attempt }),
    headOf: ({ base: _, ...next }) => headWithout(next, removed),
  });
}

/** A head that does not name the source, or the record among the parents that a listing lacked. */
function headWithout<Some extends Pick<Head, 'dialects' | 'sources'>>(head: Some, removed: Removed): Some {
  const { source, record } = removed;
  if (record === undefined) {
    const { [source]: _, ...dialects } = head.dialects;
    return { ...head, dialects, sources: head.sources.filter((name) => name !== source) };
  }
  const parentId = parentOf(record);
  if (parentId === undefined) return head;
  return { ...head, dialects: withoutParent(head.dialects, parentId) };
}

/**
 * Other attempts with files in the folders of tables that the head neither names nor has released. Whatever
 * left them, they may have rows of the source.
 */
async function unnamedAttempts(
  lake: Lake,
  { head, attempt }: { readonly head: Head; readonly attempt: number },
): Promise<readonly AttemptName[]> {
  const released = new Set(head.released.map(({ table, date, run }) => `${table} ${date} ${run}`));
  const found = new Set<AttemptName>();
  for await (const key of listKeys(lake, 'table')) {
    const { table, exportDate: date } = key;
    const run = attemptName(key);
    const isKnown =
      key.attempt === attempt ||
      head.tables[table]?.dates[date]?.run === run ||
      released.has(`${table} ${date} ${run}`);
    if (!isKnown) found.add(run);
  }
  return [...found];
}

interface Forget {
  readonly removed: Removed;
  /** The committed heads before and after the removal of the rows. */
  readonly before: Head;
  readonly after: Head;
}

/**
 * Removes a source from the state, and what stages left for each other. Heads of earlier runs get the new files; a head
 * that cannot is removed.
 */
export async function forgetRemoved(lake: Lake, options: Forget): Promise<void> {
  const { removed, after } = options;
  const isSource = (source: string) => removed.record === undefined && removed.source === source;
  await removeAll(lake, lakePrefix('figures', {}));
  const runs: string[] = [];
  const schemas: string[] = [];
  await removeAll(lake, 'state/runs/', (key) => {
    if (key?.kind === 'runConfig' || key?.kind === 'runHead') runs.push(key.runId);
    if (key?.kind === 'schema') schemas.push(lakeKey('schema', key));
    if (key?.kind === 'batch' || key?.kind === 'dialects' || key?.kind === 'pause')
      return isSource(key.source);
    return key?.kind === 'attemptHead' || isHandedOn(key);
  });
  await sideBySide(new Set(runs), OBJECTS_AT_ONCE, async (runId) => {
    if (isSource(removed.source)) await forgetInRecord(lake, { runId, source: removed.source });
    if (runId !== after.runId) await forgetInHead(lake, { runId, ...options });
  });
  await sideBySide(schemas, OBJECTS_AT_ONCE, (key) => forgetInSchema(lake, { key, removed }));
}

/** Removes the sampled records from a schema. A damaged one goes: nobody can say what it holds. */
async function forgetInSchema(
  lake: Lake,
  { key, removed }: { readonly key: string; readonly removed: Removed },
): Promise<void> {
  const schema = await readSchema(lake, key).catch(instead(hasCode('SCHEMA_CORRUPT'), undefined));
  if (schema === undefined) return await lake.remove([key]);
  const left = schemaWithout(schema, removed);
  if (!isDeepStrictEqual(left, schema)) await writeSchema(lake, key, left);
}

async function forgetInRecord(
  lake: Lake,
  { runId, source }: { readonly runId: string; readonly source: string },
): Promise<void> {
  await changeRawSums(lake, { runId, source, keyOf: () => undefined });
  const record = await readRunRecordIfAny(lake, runId);
  if (record === undefined) return;
  const others = record.config.sources.filter(({ name }) => name !== source);
  await writeRunRecord(lake, {
    ...record,
    selected: record.selected.filter((name) => name !== source),
    config: { ...record.config, sources: others },
  });
}

/** Removes the rows from an earlier run's head, so that no rollback brings them back. */
async function forgetInHead(
  lake: Lake,
  { runId, removed, before, after }: Forget & { readonly runId: string },
): Promise<void> {
  const key = lakeKey('runHead', { runId });
  const head = await readRunHead(lake, runId);
  if (head === undefined) return;
  // The purge did not read files that a later commit had replaced: they may have such rows.
  if (replacedFiles(head, before).length > 0) return await lake.remove([key]);
  const tables = withFilesOf(head, after);
  await writeHeadAt(lake, key, headWithout({ ...head, tables }, removed));
}
