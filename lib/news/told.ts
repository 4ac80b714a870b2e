import * as z from 'zod';
import { lakeKey } from '../lake/keys.ts';
import { ConditionFailed, type Lake } from '../lake/lake.ts';
import type { Attempt } from '../run-id.ts';

/** The ways of reporting, in their order: one that may need a wait comes last. */
export const WAYS = ['events', 'topic', 'webhook'] as const;
export type Way = (typeof WAYS)[number];

const foundShape = z.object({
  runId: z.string(),
  attempt: z.number().int(),
  /** By id: the number of each finding's rows. */
  findings: z.record(z.string(), z.number()),
  /** What each drift and question says, without its numbers. */
  asks: z.array(z.string()),
});

/** What a commit found; the next one compares with it. It has no name and no value of a record. */
export type Found = Readonly<z.infer<typeof foundShape>>;

const foundByWay = z.object({
  ways: z.partialRecord(z.enum(WAYS), foundShape).default({}),
  /** The dates with a page. */
  pages: z.array(z.string()).default([]),
});

/** S3 removes a page after 400 days. */
const MOST_PAGES = 500;

/** The dates with a page, except that one. */
export async function earlierPages(lake: Lake, exportDate: string): Promise<readonly string[]> {
  const stored = await lake.read(lakeKey('found'));
  const pages = stored === undefined ? [] : foundByWay.parse(JSON.parse(stored.bytes.toString('utf8'))).pages;
  return pages.filter((date) => date !== exportDate);
}

/** Notes that the page of that date was put, and that those of other dates are gone. */
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

/** By way: the last report; a way without a report is missing. */
export async function foundLast(lake: Lake): Promise<Readonly<Partial<Record<Way, Found>>>> {
  const stored = await lake.read(lakeKey('found'));
  return stored === undefined ? {} : foundByWay.parse(JSON.parse(stored.bytes.toString('utf8'))).ways;
}

/** A killed call leaves `begun`: nobody knows whether the way reported. */
const STATES = ['begun', 'told', 'refused'] as const;
const toldShape = z.object({ ways: z.partialRecord(z.enum(WAYS), z.enum(STATES)).default({}) });

const toldKey = (of: Attempt) => lakeKey('told', { runId: of.runId, attempt: of.attempt });

/**
 * Takes a way to report an attempt: only one of parallel calls gets `taken`. The others get the note: `told`,
 * or `begun` if another call reports now or was killed meanwhile.
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

/** Notes that the way reported, and what the next commit compares with for it. */
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

/** Notes that the way refused, so that the next call repeats it. */
export async function noteRefused(
  lake: Lake,
  { of, way }: { readonly of: Attempt; readonly way: Way },
): Promise<void> {
  await change(lake, toldKey(of), {
    shape: toldShape,
    to: ({ ways }) => ({ ways: { ...ways, [way]: 'refused' } }),
  });
}

/** A call writes a few times a run, and two rarely run in parallel. */
const MOST_RACES = 20;

/** Changes an object that other calls may change meanwhile; undefined leaves it. A missing one begins as `{}`. */
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
