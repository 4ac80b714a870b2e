import { UsageError } from '../../errors.ts';
import { committedHead, type Head, readRunHead } from '../../lake/head.ts';
import { listKeys } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { type NamedFiles, namedFiles, replacedFiles } from '../../lake/named-files.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { parentOf, type RemovedRecord, refuseOtherKey } from '../../schema/removed.ts';
import { readSchema } from '../../schema/schema.ts';
import type { RepairServices } from '../run-again.ts';
import { type FilesWithRows, filesWith } from './files-with.ts';
import { placesInRaw } from './in-raw.ts';
import { type Place, placesInState } from './in-state.ts';

/** The record to purge, and its source where several have such a record. */
export interface PurgeRecord {
  readonly record: RemovedRecord;
  readonly source?: string | undefined;
}

export type FoundRecord = Awaited<ReturnType<typeof findRecord>>;

/**
 * Where a record is; the places come in the order in which they are to be cleaned. Throws UsageError RECORD_UNKNOWN, and
 * RECORD_AMBIGUOUS where several sources have it.
 */
export async function findRecord(
  { source, record }: PurgeRecord,
  { services, db }: { readonly services: RepairServices; readonly db: DuckDb },
) {
  const { lake } = services;
  refuseOtherKey(record);
  const { head: before } = await committedHead(lake);
  const schema = await readSchema(lake, before.schema);
  const rowsIn = (named: readonly NamedFiles[]) =>
    filesWith({ record, ...(source !== undefined && { source }) }, { named, services });
  const sourcesOf = (files: readonly FilesWithRows[]) => new Set(files.map((each) => each.source));
  const placesOf = async (name: string) => {
    const removed = { source: name, record };
    const parentId = parentOf(record);
    const places: Place[] = [];
    if (parentId !== undefined)
      for await (const place of placesInState({ lake, source: name, parentId })) places.push(place);
    for await (const place of placesInRaw(removed, { services, db, schema })) places.push(place);
    return places;
  };
  const files = await rowsIn(namedFiles(before));
  const having = new Set(sourcesOf(files));
  // After an interrupted purge, it may be left only in raw and state, or in files of earlier heads.
  if (having.size === 0) {
    const names = source === undefined ? Object.keys(before.dialects) : [source];
    for (const name of names) if ((await placesOf(name)).length > 0) having.add(name);
    for (const name of sourcesOf(await rowsIn(await replacedIn(lake, before)))) having.add(name);
  }
  const [only, ...others] = [...having].sort();
  const what = `record ${JSON.stringify(record.key)} in ${record.table}`;
  if (only === undefined)
    throw new UsageError(
      `${lake.name} has no ${what}${source === undefined ? '' : ` of ${source}`}. The key is what the column record_key shows.`,
      'RECORD_UNKNOWN',
    );
  if (others.length > 0)
    throw new UsageError(
      `Several sources have a ${what}: name one of ${[only, ...others].join(', ')} with --source.`,
      'RECORD_AMBIGUOUS',
    );
  return { removed: { source: only, record }, before, files, places: await placesOf(only) };
}

/** The files that only heads of earlier runs name. */
async function replacedIn(lake: Lake, now: Head): Promise<readonly NamedFiles[]> {
  const files = new Map<string, NamedFiles>();
  for await (const { runId } of listKeys(lake, 'runHead')) {
    const head = await readRunHead(lake, runId);
    for (const each of head === undefined ? [] : replacedFiles(head, now))
      files.set(`${each.table} ${each.date} ${each.run}`, each);
  }
  return [...files.values()];
}
