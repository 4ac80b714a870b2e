import * as z from 'zod';
import { readJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import { ConditionFailed, type Lake } from '../lake/lake.ts';
import type { Pause } from '../runtime/services.ts';

interface Place {
  readonly runId: string;
  readonly source: string;
}

/** A pause that its stage keeps; disposed of when what was noted lies in the lake. */
export interface KeptPause extends Pause, AsyncDisposable {}

const shape = z.object({ until: z.iso.datetime() });

/** A wait that ends less than this later is the same: not each of many answers writes. */
const SAME_MS = 1000;

/** Until when the source's server has asked the run to wait; undefined where it never did. Throws STATE_CORRUPT. */
export async function readPause(lake: Lake, place: Place): Promise<Date | undefined> {
  const stored = await readJson(lake, lakeKey('pause', place), shape);
  return stored && new Date(stored.until);
}

/** Whole seconds until the pause is over; 0 where there is none. */
export function secondsLeft(until: Date | undefined, now: Date): number {
  return Math.max(0, Math.ceil(((until?.getTime() ?? 0) - now.getTime()) / 1000));
}

/**
 * The source's pause as the lake has it. What is noted is written at once, for whoever calls the source next in the
 * run, even if this process is killed.
 */
export async function keepPause(lake: Lake, place: Place): Promise<KeptPause> {
  const before = await readPause(lake, place);
  let latest = before;
  let written: Promise<void> = Promise.resolve();
  return {
    until: () => latest,
    note: (until) => {
      if (latest !== undefined && until.getTime() < latest.getTime() + SAME_MS) return;
      latest = until;
      written = written.then(() => writeLater(lake, place, until));
      // Whoever disposes of it is told.
      written.catch(() => {});
    },
    [Symbol.asyncDispose]: () => written,
  };
}

/** Writes the pause where the lake has no later one: several batches may be told to wait at once. */
async function writeLater(lake: Lake, place: Place, until: Date): Promise<void> {
  const key = lakeKey('pause', place);
  for (;;) {
    const stored = await lake.read(key);
    const latest = stored && shape.parse(JSON.parse(stored.bytes.toString('utf8')));
    if (latest !== undefined && new Date(latest.until) >= until) return;
    const condition = stored === undefined ? ({ absent: true } as const) : { match: stored.etag };
    try {
      await lake.write(key, Buffer.from(`${JSON.stringify({ until })}\n`), condition);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}
