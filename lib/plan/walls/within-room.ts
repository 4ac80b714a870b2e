import type { StoredRaw } from '../../run/raw-of-run.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { quoteLiteral } from '../../sql.ts';

export interface WithinRoom {
  readonly kept: readonly StoredRaw[];
  readonly tooLarge: readonly StoredRaw[];
}

/**
 * The raw answers that may be copied to this machine, of which `room` bytes may be. If all are too many, the source with
 * the most gives its largest listing away, until the rest has room.
 */
export function withinRoom(raw: readonly StoredRaw[], room: number): WithinRoom {
  let kept = raw;
  const tooLarge: StoredRaw[] = [];
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

/** Calls the listings failed whose raw answers were not copied: nobody has looked at them. */
export async function failTooLarge(db: DuckDb, tooLarge: readonly StoredRaw[]): Promise<void> {
  for (const { source, resource, bytes } of tooLarge) {
    const message = `Its raw answers (${Math.ceil(bytes / MIB)} MiB) have no room on the disk, so the source's rows of this table stay as they were: see the runbook.`;
    await db.run(`
      update outcomes
      set error_code = 'SOURCE_SET_ASIDE', message = ${quoteLiteral(message)}, says = null
      where source = ${quoteLiteral(source)}
        and resource = ${quoteLiteral(resource)}
        and outcome = 'failed'
        and error_code = 'NOT_COLLECTED'`);
  }
}

const MIB = 2 ** 20;

function bytesOf(raw: readonly StoredRaw[]): number {
  return raw.reduce((sum, { bytes }) => sum + bytes, 0);
}
