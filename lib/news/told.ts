import * as z from 'zod';
import { readJson, replaceObject } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
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
  const found = await readJson(lake, lakeKey('found'), foundByWay);
  return (found?.pages ?? []).filter((date) => date !== exportDate);
}

/** Notes that the page of that date was put, and that those of other dates are gone. */
export async function notePage(
  lake: Lake,
  { exportDate, gone }: { readonly exportDate: string; readonly gone: readonly string[] },
): Promise<void> {
  await change(lake, lakeKey('found'), foundByWay, (found) => {
    const kept = found.pages.filter((date) => date !== exportDate && !gone.includes(date));
    return { ...found, pages: [...kept, exportDate].slice(-MOST_PAGES) };
  });
}

/** By way: the last report; a way without a report is missing. */
export async function foundLast(lake: Lake): Promise<Readonly<Partial<Record<Way, Found>>>> {
  return (await readJson(lake, lakeKey('found'), foundByWay))?.ways ?? {};
}

/** `told` by way; earlier versions also noted other words. */
const toldShape = z.object({ ways: z.partialRecord(z.enum(WAYS), z.string()).default({}) });

const toldKey = (of: Attempt) => lakeKey('told', { runId: of.runId, attempt: of.attempt });

/** The ways that have reported an attempt. */
export async function waysTold(lake: Lake, of: Attempt): Promise<readonly Way[]> {
  const told = await readJson(lake, toldKey(of), toldShape);
  return WAYS.filter((way) => told?.ways[way] === 'told');
}

/** Notes that the way reported, and what the next commit compares with for it. */
export async function noteTold(
  lake: Lake,
  { of, way, found }: { readonly of: Attempt; readonly way: Way; readonly found: Found | undefined },
): Promise<void> {
  if (found !== undefined)
    await change(lake, lakeKey('found'), foundByWay, (stored) => ({
      ...stored,
      ways: { ...stored.ways, [way]: found },
    }));
  await change(lake, toldKey(of), toldShape, ({ ways }) => ({ ways: { ...ways, [way]: 'told' } }));
}

/** Changes an object that other calls may change meanwhile. A missing one begins as `{}`. */
async function change<Value>(
  lake: Lake,
  key: string,
  shape: z.ZodType<Value>,
  to: (stored: Value) => Value,
): Promise<void> {
  await replaceObject(lake, key, (stored) =>
    JSON.stringify(to(shape.parse(JSON.parse(stored?.toString('utf8') ?? '{}'))), null, 1),
  );
}
