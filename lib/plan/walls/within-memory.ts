import { notesOf } from '../../run/answers.ts';
import { failListings, type ListingsOfSource } from '../../run/outcomes/set-aside.ts';
import type { RawOfResource } from '../../run/raw-of-run.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { withinRoom } from './within-room.ts';

const MIB = 2 ** 20;
/**
 * DuckDB works on 2,048 records at once, beside what it bounds: 640 MiB of records of 40 MiB took publish 5.4 GB, 8 times as
 * much. A twelfth of its memory leaves room for that.
 */
const SHARE = 12;
/** One record may have so much. */
const LEAST_MIB = 64;

/** The bytes of a source's records that are large, for a table. */
export interface Large extends ListingsOfSource {
  readonly bytes: number;
}

/** Calls the listings failed (SOURCE_SET_ASIDE) of whom a table's large records have no room in memory. */
export async function failLarge(
  db: DuckDb,
  { raw, memoryLimitMiB }: { readonly raw: readonly RawOfResource[]; readonly memoryLimitMiB: number },
): Promise<void> {
  const room = Math.max(LEAST_MIB, memoryLimitMiB / SHARE) * MIB;
  for (const each of withoutRoom(await notedLarge(db, raw), room)) {
    const message = `Its records of more than 128 KiB have ${Math.ceil(each.bytes / MIB)} MiB together, which publish has no memory for, so the source's rows of this table stay as they were: see the runbook.`;
    await failListings(db, each, { error_code: 'SOURCE_SET_ASIDE', message });
  }
}

/** Who gives way: in each table the source with the most, until all others have room together. */
export function withoutRoom(large: readonly Large[], room: number): readonly Large[] {
  const tables = Map.groupBy(large, ({ resource }) => resource);
  return [...tables.values()].flatMap((same) => withinRoom(same, room).tooLarge);
}

/** What list and collect noted in the raw files. */
async function notedLarge(db: DuckDb, raw: readonly RawOfResource[]): Promise<readonly Large[]> {
  const paths = raw.flatMap((each) => each.paths);
  const notes = await notesOf(db, paths, 'large');
  const bytesOf = new Map(notes.map(({ path, text }) => [path, Number(text)]));
  return raw.map(({ source, resource, paths: own }) => ({
    source,
    resource,
    bytes: own.reduce((sum, path) => sum + (bytesOf.get(path) ?? 0), 0),
  }));
}
