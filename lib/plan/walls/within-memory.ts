import type { NotedRaw } from '../../run/answers.ts';
import { failListings, type ListingsOfSource } from '../../run/outcomes/set-aside.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { withinRoom } from './within-room.ts';

const MIB = 2 ** 20;
/**
 * DuckDB works on 2,048 records at once, in addition to its own limit. With 640 MiB of records of 40 MiB,
 * publish took 5.4 GB, 8 times as much. A twelfth of its memory leaves room for that.
 */
const SHARE = 12;
/** One record may always have so much. */
const LEAST_MIB = 64;

/** The bytes of a source's records that are large, for a table. */
export interface Large extends ListingsOfSource {
  readonly bytes: number;
}

/** Calls the listings failed (SOURCE_SET_ASIDE) that have large records without room in memory. */
export async function failLarge(
  db: DuckDb,
  { raw, memoryLimitMiB }: { readonly raw: readonly NotedRaw[]; readonly memoryLimitMiB: number },
): Promise<void> {
  const room = Math.max(LEAST_MIB, memoryLimitMiB / SHARE) * MIB;
  for (const each of withoutRoom(raw.map(notedLarge), room)) {
    const message = `Some records of this listing are larger than 128 KiB. They have ${Math.ceil(each.bytes / MIB)} MiB together, too much for the memory of publish. The source's rows of this table stay as they were: see the runbook.`;
    await failListings(db, each, { error_code: 'SOURCE_SET_ASIDE', message });
  }
}

/** Who loses room: in each table the source with the most, until the rest has room together. */
export function withoutRoom(large: readonly Large[], room: number): readonly Large[] {
  const tables = Map.groupBy(large, ({ resource }) => resource);
  return [...tables.values()].flatMap((same) => withinRoom(same, room).tooLarge);
}

/** What list and collect noted in the raw files. */
function notedLarge({ source, resource, notes }: NotedRaw): Large {
  return { source, resource, bytes: notes.reduce((sum, { large = 0 }) => sum + Number(large), 0) };
}
