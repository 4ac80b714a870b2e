import * as z from 'zod';
import { lakeKey } from '../lake/keys.ts';
import { ConditionFailed, type Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';

/** The ways of telling, in the order in which they are told: who may have to be waited for comes last. */
export const WAYS = ['events', 'topic', 'webhook'] as const;
export type Way = (typeof WAYS)[number];

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

const foundByWay = z.object({
  ways: z.partialRecord(z.enum(WAYS), foundShape).default({}),
  /** The dates of which a page was put. */
  pages: z.array(z.string()).default([]),
});

/** S3 removes a page after 400 days. */
const MOST_PAGES = 500;

/** The dates of which a page was put, but for that one. */
export async function earlierPages(lake: Lake, exportDate: string): Promise<readonly string[]> {
  const stored = await lake.read(lakeKey('found'));
  const pages = stored === undefined ? [] : foundByWay.parse(JSON.parse(stored.bytes.toString('utf8'))).pages;
  return pages.filter((date) => date !== exportDate);
}

/** Notes that a page of that date was put, and that those of other dates are gone. */
export async function notePage(
  lake: Lake,
  { exportDate, gone }: { readonly exportDate: string; readonly gone: readonly string[] },
): Promise<void> {
  await change(lake, lakeKey('found'), {
    shape: foundByWay,
    to: (found) => {
      const kept = found.pages.filter((date) => date !== exportDate && !gone.includes(date));
      return { ...found, pages: [...kept, exportDate].slice(-MOST_PAGES) };
    },
  });
}

/** What each way was told last; a way that was told nothing yet is missing. */
export async function foundLast(lake: Lake): Promise<Readonly<Partial<Record<Way, Found>>>> {
  const stored = await lake.read(lakeKey('found'));
  return stored === undefined ? {} : foundByWay.parse(JSON.parse(stored.bytes.toString('utf8'))).ways;
}

/** `begun` is left by a call that was killed: whether the way was told is not known. */
const STATES = ['begun', 'told', 'refused'] as const;
const toldShape = z.object({ ways: z.partialRecord(z.enum(WAYS), z.enum(STATES)).default({}) });

const toldKey = (of: Attempt) => lakeKey('told', { runId: of.runId, attempt: of.attempt });

/**
 * Takes a way for the telling of an attempt: of several calls one alone gets `taken`. The others get what is noted: `told`,
 * or `begun` where another call tells it now or was killed over it.
 */
export async function takeWay(
  lake: Lake,
  { of, way }: { readonly of: Attempt; readonly way: Way },
): Promise<'taken' | 'told' | 'begun'> {
  let noted: (typeof STATES)[number] | undefined;
  await change(lake, toldKey(of), {
    shape: toldShape,
    to: ({ ways }) => {
      noted = ways[way];
      return noted === 'told' || noted === 'begun' ? undefined : { ways: { ...ways, [way]: 'begun' } };
    },
  });
  return noted === 'told' || noted === 'begun' ? noted : 'taken';
}

/** Notes that the way was told, and with what the next commit is compared for it. */
export async function noteTold(
  lake: Lake,
  { of, way, found }: { readonly of: Attempt; readonly way: Way; readonly found: Found | undefined },
): Promise<void> {
  if (found !== undefined) {
    await change(lake, lakeKey('found'), {
      shape: foundByWay,
      to: (stored) => ({ ...stored, ways: { ...stored.ways, [way]: found } }),
    });
  }
  await change(lake, toldKey(of), {
    shape: toldShape,
    to: ({ ways }) => ({ ways: { ...ways, [way]: 'told' } }),
  });
}

/** Notes that the way did not take it, so that the next call tells it again. */
export async function noteRefused(
  lake: Lake,
  { of, way }: { readonly of: Attempt; readonly way: Way },
): Promise<void> {
  await change(lake, toldKey(of), {
    shape: toldShape,
    to: ({ ways }) => ({ ways: { ...ways, [way]: 'refused' } }),
  });
}

/** A call writes a few times a run, and seldom are there two. */
const MOST_RACES = 20;

/** Changes an object that other calls may change meanwhile; undefined leaves it. One that is not there begins as `{}`. */
async function change<Value>(
  lake: Lake,
  key: string,
  { shape, to }: { readonly shape: z.ZodType<Value>; readonly to: (stored: Value) => Value | undefined },
): Promise<void> {
  for (let races = 0; ; races += 1) {
    const stored = await lake.read(key);
    const changed = to(shape.parse(JSON.parse(stored?.bytes.toString('utf8') ?? '{}')));
    if (changed === undefined) return;
    const condition = stored === undefined ? ({ absent: true } as const) : { match: stored.etag };
    try {
      await lake.write(key, Buffer.from(`${JSON.stringify(changed, null, 1)}\n`), condition);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || races === MOST_RACES) throw error;
    }
  }
}
