import * as z from 'zod';
import { readJson, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import { ConditionFailed, type Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';

const foundShape = z.object({
  runId: z.string(),
  attempt: z.number().int(),
  /** How many rows each finding had, by its id. */
  findings: z.record(z.string(), z.number()),
  /** What each drift and question says, without its numbers. */
  asks: z.array(z.string()),
});

/** What was found at a commit; the next one is compared with it. No name and no value of a record is in it. */
export type Found = Readonly<z.infer<typeof foundShape>>;

/** What was found at the commit that was told last; undefined where none was told. */
export async function foundLast(lake: Lake): Promise<Found | undefined> {
  return await readJson(lake, lakeKey('found'), foundShape);
}

const toldShape = z.object({
  /** `begun` is never left by a sender that was killed: a message that may have come is not sent again. */
  state: z.enum(['begun', 'done', 'failed']),
});

/** The telling of an attempt, by one process alone. */
export interface Telling {
  /** Notes that all was told, with what the next commit is compared with. */
  done(found: Found | undefined): Promise<void>;
  /** Notes that somebody was not told, so that the next call begins again. */
  failed(): Promise<void>;
}

/** Takes the telling of an attempt; undefined where another process has taken it and has not failed. */
export async function takeTelling(lake: Lake, of: Attempt): Promise<Telling | undefined> {
  const key = lakeKey('told', { runId: of.runId, attempt: of.attempt });
  const stored = await lake.read(key);
  const before = stored && toldShape.parse(JSON.parse(stored.bytes.toString('utf8')));
  if (before !== undefined && before.state !== 'failed') return undefined;
  const condition = stored === undefined ? ({ absent: true } as const) : { match: stored.etag };
  try {
    await lake.write(key, Buffer.from(JSON.stringify({ state: 'begun' })), condition);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
  return {
    done: async (found) => {
      if (found !== undefined) await writeJson(lake, lakeKey('found'), found);
      await writeJson(lake, key, { state: 'done' });
    },
    failed: () => writeJson(lake, key, { state: 'failed' }),
  };
}
