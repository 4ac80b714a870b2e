import { type ListingsOfSource, sayOfListings } from '../../run/outcomes/set-aside.ts';
import { NOT_COLLECTED } from '../../run/outcomes/verdicts.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { quoteLiteral } from '../../sql.ts';

/** Something that takes room, on a disk or in memory. */
interface Sized extends ListingsOfSource {
  readonly bytes: number;
}

/**
 * Divides the listings into those that have room together and those that do not. If all have too many bytes,
 * the source with the most loses its largest listing, until the rest has room.
 */
export function withinRoom<Each extends Sized>(
  all: readonly Each[],
  room: number,
): { readonly kept: readonly Each[]; readonly tooLarge: readonly Each[] } {
  let kept = all;
  const tooLarge: Each[] = [];
  while (bytesOf(kept) > room) {
    const [largest] = [...Map.groupBy(kept, ({ source }) => source).values()]
      .sort((a, b) => bytesOf(b) - bytesOf(a))
      .map((own) => own.reduce((most, each) => (each.bytes > most.bytes ? each : most)));
    if (largest === undefined) break;
    tooLarge.push(largest);
    kept = kept.filter((each) => each !== largest);
  }
  return { kept, tooLarge };
}

/** Calls the listings failed that have raw answers without a copy: plan did not read them. */
export async function failTooLarge(db: DuckDb, tooLarge: readonly Sized[]): Promise<void> {
  for (const each of tooLarge) {
    await sayOfListings(db, each, {
      error_code: 'SOURCE_SET_ASIDE',
      message: `The raw answers of this listing (${Math.ceil(each.bytes / MIB)} MiB) have no room on the disk of plan. The source's rows of this table stay as they were: see the runbook.`,
      says: null,
      where: `outcome = 'failed' and error_code = ${quoteLiteral(NOT_COLLECTED)}`,
    });
  }
}

const MIB = 2 ** 20;

function bytesOf(all: readonly Sized[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0);
}
