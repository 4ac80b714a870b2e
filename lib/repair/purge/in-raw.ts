import { partsOf } from '../../api/body/parse.ts';
import type { Config } from '../../config/config.ts';
import { type ListedKey, lakeKey, listKeys } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import type { RawRow } from '../../lake/raw/raw.ts';
import { createRawFile, rawIndexAt, rawRows, readRawIndex, recordsText } from '../../lake/raw/raw-file.ts';
import { replaceRawFile } from '../../lake/sums/raw-sums.ts';
import { keyedOf } from '../../publish/collected.ts';
import { slicesOf } from '../../run/answers.ts';
import { openMasks } from '../../run/history/masks.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import type { Services } from '../../runtime/services.ts';
import { parentInKey } from '../../schema/record-key.ts';
import { parentOf, type Removed, type RemovedRecord } from '../../schema/removed.ts';
import type { Schema } from '../../schema/schema.ts';
import { resourceNamed } from '../../sources/resources.ts';
import { quoteLiteral } from '../../sql.ts';
import { type Place, withoutParent } from './in-state.ts';

interface InRaw {
  readonly services: Services & { readonly config: Config };
  readonly db: DuckDb;
  readonly schema: Schema;
}

/** The raw files with the record, or with answers to it as a parent, or with notes about it. */
export async function* placesInRaw(removed: Required<Removed>, within: InRaw): AsyncGenerator<Place> {
  const { source, record } = removed;
  const { lake } = within.services;
  const parentId = parentOf(record);
  const find = await finderOf(removed, within);
  for await (const file of listKeys(lake, 'raw')) {
    const isOwn = file.resource === record.table;
    if (file.source !== source) continue;
    if (!isOwn && resourceNamed(file.resource).parent !== record.table) continue;
    const records = isOwn ? await find(file) : [];
    if (records.length === 0 && !(parentId !== undefined && (await isNamedIn(lake, file, parentId))))
      continue;
    yield {
      key: file.key,
      bytes: file.size,
      isRaw: true,
      clean: () => cutRaw(lake, file, { records, parentId }),
    };
  }
}

/** Finds the records with the key in a raw file, by the code that gives them their keys when they are published. */
async function finderOf(
  { source, record }: Required<Removed>,
  { services, db, schema }: InRaw,
): Promise<(file: ListedKey<'raw'>) => Promise<readonly RecordPlace[]>> {
  const table = schema.tables[record.table];
  const key = table?.keys[source];
  if (table === undefined || key === undefined) return async () => [];
  const resource = resourceNamed(record.table);
  const parent = resource.parent === null ? undefined : parentInKey(record.key);
  const byContent = isByContent(record, { kind: key.kind, parent });
  if (byContent) await openMasks(db, { schema, services, config: services.config });
  return async (file) => {
    const paths = await services.lake.localPaths([file.key]);
    const all = await slicesOf(db, { source, resource: record.table, paths, allCount: true });
    const ofParent =
      parent === undefined ? all.sql : `select * from (${all.sql}) where parent_id = ${quoteLiteral(parent)}`;
    const { keyed } = keyedOf({
      ...{ source, resource, key, isNumbered: false },
      slices: { ...all, sql: ofParent },
      // Only the hash of a record without an id needs its values.
      table: byContent ? table : { ...table, columns: [] },
    });
    const rows = await db.rows(`
      -- grain: record
      select parent_id, page, slice, position
      from (${keyed.sql})
      where record_key = ${quoteLiteral(record.key)}`);
    await services.lake.copies?.drop([file.key]);
    return rows.map((row) => ({
      parentId: row['parent_id'] === null ? null : String(row['parent_id']),
      page: Number(row['page']),
      slice: Number(row['slice']),
      position: Number(row['position']),
    }));
  };
}

/** True for a key that is a hash of what is shown of the record. */
function isByContent(
  { key }: RemovedRecord,
  { kind, parent }: { readonly kind: string; readonly parent: string | undefined },
): boolean {
  const own = parent === undefined ? key : key.slice(key.indexOf('/') + 1);
  return kind === 'hash' || own.startsWith('~');
}

async function isNamedIn(lake: Lake, { key }: ListedKey<'raw'>, parentId: string): Promise<boolean> {
  const { rows = [], metadata = {} } = (await rawIndexAt(lake, key)) ?? {};
  const listed: { unlisted?: string[] } = JSON.parse(metadata['listed'] ?? '{}');
  return rows.some((row) => row.parentId === parentId) || listed.unlisted?.includes(parentId) === true;
}

/** Where a record is in a raw file; `position` counts the records of the slice from 1. */
interface RecordPlace extends Pick<RawRow, 'parentId' | 'page' | 'slice'> {
  readonly position: number;
}

interface Cut {
  readonly records: readonly RecordPlace[];
  /** The parent whose answers go. */
  readonly parentId?: string | undefined;
}

const NOTHING = Buffer.alloc(0);

/**
 * Writes a raw file again without these records and answers. A page that had one, and the page behind it, keep their
 * other records, each as it was written, and lose the text around them: a link or cursor may name the record.
 */
async function cutRaw(lake: Lake, file: ListedKey<'raw'>, cut: Cut): Promise<void> {
  await using scratch = await lake.scratch();
  const reader = await lake.open(file.key);
  if (reader === undefined) return;
  try {
    const { metadata } = await readRawIndex(reader, file.key);
    const path = `${scratch.path}/cut.parquet`;
    const written = await createRawFile(path);
    for await (const row of rawRows(reader)) {
      if (cut.parentId !== undefined && row.parentId === cut.parentId) continue;
      await written.append(withoutRecords(row, cut.records));
    }
    await written.close(metadataWithout(metadata, cut.parentId));
    await replaceRawFile(lake, { runId: file.runId, key: lakeKey('raw', file), path });
  } finally {
    await reader.close();
  }
}

function withoutRecords(row: RawRow, records: readonly RecordPlace[]): RawRow {
  const ofParent = records.filter(({ parentId }) => parentId === row.parentId);
  // A page may begin with the last record of the page before, and then that record is in its text alone.
  if (row.body === null || !ofParent.some(({ page }) => page === row.page || page + 1 === row.page))
    return row;
  const bare = { ...row, body: NOTHING, recordsFrom: null, recordsTo: null };
  const text = recordsText(row);
  if (text === undefined) return bare;
  const ofSlice = ofParent.filter(({ page, slice }) => page === row.page && slice === row.slice);
  const positions = new Set(ofSlice.map((each) => each.position));
  const left = [...partsOf(text)].filter((_, index) => !positions.has(index + 1));
  return { ...bare, items: left.length, mended: `[${left.map((part) => part.text).join(',')}]` };
}

/** What list and collect noted about the file, without the parent. */
function metadataWithout(
  metadata: Readonly<Record<string, string>>,
  parentId: string | undefined,
): Readonly<Record<string, string>> {
  if (parentId === undefined) return metadata;
  const left = { ...metadata };
  for (const name of ['notes', 'listed']) {
    const noted = metadata[name];
    if (noted !== undefined) left[name] = JSON.stringify(withoutParent(JSON.parse(noted), parentId));
  }
  return left;
}
