import type { Config } from '../../config/config.ts';
import { type ListedKey, listKeys } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { rawIndexAt } from '../../lake/raw/raw-file.ts';
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
import { cutRaw, type RecordPlace } from './cut-raw.ts';
import type { Place } from './in-state.ts';

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
      table: byContent ? table : { ...table, columns: [], duplicates: [] },
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
