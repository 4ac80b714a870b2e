import * as z from 'zod';
import { type ColumnProfile, countOf } from './value-classes.ts';

/** How many of a source's records had a value at a path, in the last run that saw any. */
export const filledShape = z.object({
  records: z.number(),
  values: z.number(),
  /** Nearly no record has a value any more: the run and date since when, and how many had one before. */
  emptied: z
    .object({ since: z.string(), date: z.string(), records: z.number(), values: z.number() })
    .exactOptional(),
});

type Filled = z.infer<typeof filledShape>;

/** With fewer records, nothing is noted: a few of them decide the share. */
const MANY = 10;
const NEARLY_ALL = 0.9;
const NEARLY_NONE = 0.1;
/** Texts that say nothing, and times that mean never, do not count as values. */
const SAY_NOTHING = ['empty', 'sentinel', 'zeroTime'] as const;

/**
 * What is known about a path after a run. The run's `profile` is undefined if no record has the path;
 * `records` counts all records of the source in the table.
 */
export function filledAfter(
  before: Filled | undefined,
  { profile, records }: { readonly profile: ColumnProfile | undefined; readonly records: number },
  run: { readonly runId: string; readonly exportDate: string },
): Filled | undefined {
  if (records === 0) return before;
  const values = profile === undefined ? 0 : countOf(profile) - countOf(profile, SAY_NOTHING);
  if (before === undefined || values >= NEARLY_NONE * records) return { records, values };
  const isNew = records >= MANY && before.records >= MANY && before.values >= NEARLY_ALL * before.records;
  const now = { since: run.runId, date: run.exportDate, records: before.records, values: before.values };
  const emptied = before.emptied ?? (isNew ? now : undefined);
  return { records, values, ...(emptied !== undefined && { emptied }) };
}
