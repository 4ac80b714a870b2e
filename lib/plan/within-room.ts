import type { NotedRaw } from '../run/answers.ts';
import { failListings, sayOfListings } from '../run/outcomes/set-aside.ts';
import { NOT_COLLECTED } from '../run/outcomes/verdicts.ts';
import type { StoredRaw } from '../run/raw-of-run.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { quoteLiteral } from '../sql.ts';

const MIB = 2 ** 20;
/**
 * DuckDB works on 2,048 records at once, in addition to its own limit. With 640 MiB of records of 40 MiB,
 * publish took 5.4 GB, 8 times as much. A twelfth of its memory leaves room for that.
 */
const SHARE = 12;
/** One record may always have so much. */
const LEAST_MIB = 64;

/** Something that takes room, on a disk or in memory. */
type Sized = Omit<StoredRaw, 'keys'>;

/** Divides the listings into those that have room together, the smallest first, and those that do not. */
export function withinRoom<Each extends Sized>(
  all: readonly Each[],
  room: number,
): { readonly kept: readonly Each[]; readonly tooLarge: readonly Each[] } {
  let left = room;
  const bySize = all.toSorted((a, b) => a.bytes - b.bytes);
  const tooLarge = bySize.filter(({ bytes }) => {
    left -= bytes;
    return left < 0;
  });
  return { kept: all.filter((each) => !tooLarge.includes(each)), tooLarge };
}

/** Calls the listings failed that have raw answers without a copy: plan did not read them. */
export async function failTooLarge(db: DuckDb, tooLarge: readonly Sized[]): Promise<void> {
  for (const each of tooLarge) {
    await sayOfListings(db, each, {
      error_code: 'SOURCE_SET_ASIDE',
      message: `The raw answers of this listing (${Math.ceil(each.bytes / MIB)} MiB) have no room on the disk of plan. The source's rows of this table stay as they were: see the runbook.`,
      where: `outcome = 'failed' and error_code = ${quoteLiteral(NOT_COLLECTED)}`,
    });
  }
}

/** Calls the listings failed (SOURCE_SET_ASIDE) that have large records without room in memory. */
export async function failLarge(
  db: DuckDb,
  { raw, memoryLimitMiB }: { readonly raw: readonly NotedRaw[]; readonly memoryLimitMiB: number },
): Promise<void> {
  const room = Math.max(LEAST_MIB, memoryLimitMiB / SHARE) * MIB;
  // List and collect noted them in the raw files.
  const large = raw.map(({ source, resource, notes }) => ({
    ...{ source, resource, bytes: notes.reduce((sum, noted) => sum + Number(noted.large ?? 0), 0) },
  }));
  const tables = [...Map.groupBy(large, ({ resource }) => resource).values()];
  for (const each of tables.flatMap((same) => withinRoom(same, room).tooLarge)) {
    const message = `Some records of this listing are larger than 128 KiB. They have ${Math.ceil(each.bytes / MIB)} MiB together, too much for the memory of publish. The source's rows of this table stay as they were: see the runbook.`;
    await failListings(db, each, { error_code: 'SOURCE_SET_ASIDE', message });
  }
}
