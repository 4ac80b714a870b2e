import { type Head, readHead, readRunHead, writeHeadAt } from '../../lake/head.ts';
import { OBJECTS_AT_ONCE, writeJson } from '../../lake/json-object.ts';
import { type KeyFields, lakeKey, listKeys } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { replacedFiles, withFilesOf } from '../../lake/named-files.ts';
import { changeRawSums } from '../../lake/sums/raw-sums.ts';
import { type Renamed, renamedSources } from '../../run/renamed-sources.ts';
import { readRunRecordIfAny, writeRunRecord } from '../../run/run-record.ts';
import { readSummaryIfAny } from '../../run/summary.ts';
import { unitsOfFiles } from '../../run/unit.ts';
import { readSchema, writeSchema } from '../../schema/schema.ts';
import { sideBySide } from '../../side-by-side.ts';
import { filesOfSource } from '../purge/purge.ts';
import { rewriteHistory } from '../rewrite-history.ts';
import type { RepairServices } from '../run-again.ts';

/** Renames the sources with a `was` that the lake still has, in all that the lake holds. */
export async function carryHistoryOver(services: RepairServices): Promise<readonly Renamed[]> {
  const { lake, config } = services;
  if (config.sources.every(({ was }) => was === undefined)) return [];
  const head = (await readHead(lake))?.head;
  const renamed = await renamedSources(lake, { head, config });
  for (const each of renamed) await renameSource(each, services);
  return renamed;
}

/**
 * Renames a source: first in all tables and dates with one commit, then in raw and state. An interrupted one
 * continues where it stopped, because the record of the newest run comes last.
 */
async function renameSource(renamed: Renamed, services: RepairServices): Promise<void> {
  const { lake } = services;
  const before = (await readHead(lake))?.head;
  if (before === undefined) return;
  const after = before.sources.includes(renamed.was) ? await renameInTables(renamed, services) : before;
  await renameInRaw(lake, renamed);
  await renameInState(lake, { ...renamed, before, after });
}

async function renameInTables(renamed: Renamed, services: RepairServices): Promise<Head> {
  return await rewriteHistory(services, {
    schemaOf: ({ base }) => base.schema,
    schemaAfter: (schema) => renamedState(schema, renamed),
    acceptLoss: true,
    unitsOf: async () => unitsOfFiles(await filesOfSource(renamed.was, services), { renamed }),
    headOf: ({ base: _, ...next }) => renamedNames(next, renamed),
  });
}

/** The kinds of keys with a source's name. */
const KINDS = ['raw', 'batch', 'dialects', 'pause', 'parents', 'turn'] as const;

async function renameInRaw(lake: Lake, { was, name }: Renamed): Promise<void> {
  for (const kind of KINDS) {
    const moved: { readonly from: string; readonly to: string }[] = [];
    for await (const { key, size: _, ...fields } of listKeys(lake, kind))
      if (fields.source === was) moved.push({ from: key, to: keyOf(kind, { ...fields, source: name }) });
    await sideBySide(moved, OBJECTS_AT_ONCE, async ({ from, to }) => {
      const object = await lake.read(from);
      if (object !== undefined) await lake.write(to, object.bytes);
      await lake.remove([from]);
    });
  }
}

/** A key of the kind. The compiler does not see that the fields are its own; `lakeKey` does. */
function keyOf(kind: (typeof KINDS)[number], fields: object): string {
  return lakeKey(kind as 'raw', fields as KeyFields<'raw'>);
}

/** A head with the new name. It is not read as a whole, because it names files of years. */
function renamedNames<Some extends Pick<Head, 'dialects' | 'sources'>>(head: Some, renamed: Renamed): Some {
  const { dialects, sources } = head;
  return { ...head, ...renamedState({ dialects, sources }, renamed) };
}

interface InState extends Renamed {
  /** The committed heads before and after the rows are renamed. */
  readonly before: Head;
  readonly after: Head;
}

async function renameInState(lake: Lake, options: InState): Promise<void> {
  const { after } = options;
  const runs = new Set<string>();
  for await (const { runId } of listKeys(lake, 'runHead')) runs.add(runId);
  for await (const { runId } of listKeys(lake, 'runConfig')) runs.add(runId);
  runs.delete(after.runId);
  await sideBySide(runs, OBJECTS_AT_ONCE, async (runId) => {
    await renameInHead(lake, { runId, ...options });
    await renameInRecord(lake, { runId, ...options });
  });
  await renameInSummary(lake, { head: after, ...options });
  await renameInRecord(lake, { runId: after.runId, ...options });
}

/** An earlier head with replaced files cannot be renamed. It is removed, and no rollback leads to it. */
async function renameInHead(
  lake: Lake,
  { runId, was, name, before, after }: InState & { readonly runId: string },
): Promise<void> {
  const head = await readRunHead(lake, runId);
  if (head?.sources.includes(was) !== true) return;
  const key = lakeKey('runHead', { runId });
  if (replacedFiles(head, before).length > 0) return await lake.remove([key]);
  await writeSchema(lake, head.schema, renamedState(await readSchema(lake, head.schema), { was, name }));
  await renameInSummary(lake, { head, was, name });
  const tables = withFilesOf(head, after);
  await writeHeadAt(lake, key, renamedNames({ ...head, tables }, { was, name }));
}

async function renameInSummary(
  lake: Lake,
  { head, ...renamed }: Renamed & { readonly head: Head },
): Promise<void> {
  const summary = await readSummaryIfAny(lake, head);
  if (summary !== undefined) await writeJson(lake, lakeKey('summary', head), renamedState(summary, renamed));
}

async function renameInRecord(
  lake: Lake,
  { runId, was, name }: Renamed & { readonly runId: string },
): Promise<void> {
  const keyOf = (raw: KeyFields<'raw'>) => lakeKey('raw', { ...raw, source: name });
  await changeRawSums(lake, { runId, source: was, keyOf });
  const record = await readRunRecordIfAny(lake, runId);
  if (record === undefined) return;
  const renamed = (source: string) => (source === was ? name : source);
  await writeRunRecord(lake, {
    ...record,
    selected: record.selected.map(renamed),
    acceptShrink: record.acceptShrink.map(renamed),
    config: {
      ...record.config,
      sources: record.config.sources.map((source) => ({ ...source, name: renamed(source.name) })),
    },
  });
}

/** Members of a state that have a value for each source. */
const BY_SOURCE = new Set(['keys', 'samples', 'readings', 'rejects', 'dialects']);
/** Members with the name of a source, or with names of sources. */
const NAMES = new Set(['source', 'masked']);
/** Lists of what happened to each source. */
const OF_SOURCES = new Set(['sources', 'leftOut']);

/**
 * A schema, a summary or the dialects of a head with the new name of a source. Its values stay, and so does the order of
 * members: columns and questions come in it.
 */
function renamedState<State>(state: State, { was, name }: Renamed): State {
  const named = (each: unknown): unknown => {
    if (each === was) return name;
    const isIts = typeof each === 'object' && each !== null && 'name' in each && each.name === was;
    return isIts ? { ...each, name } : each;
  };
  return JSON.parse(JSON.stringify(state), (member, value: unknown) => {
    if (NAMES.has(member) || OF_SOURCES.has(member))
      return Array.isArray(value) ? value.map(named) : named(value);
    if (!BY_SOURCE.has(member) || typeof value !== 'object' || value === null || Array.isArray(value))
      return value;
    return Object.fromEntries(Object.entries(value).map(([key, its]) => [key === was ? name : key, its]));
  });
}
