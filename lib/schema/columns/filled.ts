import * as z from 'zod';
import { type ColumnProfile, countOf, type ValueClass } from './value-classes.ts';

/** How many of a source's records had a value at a path, in the last run that saw any. */
export const filledShape = z.object({
  records: z.number(),
  values: z.number(),
  /** The same in the last run in which the API said something of nearly all records. */
  full: z.object({ records: z.number(), values: z.number() }).exactOptional(),
  /** Nearly no record has a value any more: the run and date since when, and how many had one before. */
  emptied: z
    .object({ since: z.string(), date: z.string(), records: z.number(), values: z.number() })
    .exactOptional(),
});

type Filled = z.infer<typeof filledShape>;

/** With fewer records or values, nothing is noted: a few of them decide the share. */
const MANY = 10;
const NEARLY_ALL = 0.9;
const NEARLY_NONE = 0.1;
/**
 * What is known about a path after a run. It is compared with the last run that said something of nearly all
 * records, so a column that empties step by step is found, too. The run's `profile` is undefined if no record has
 * the path; `records` counts all records of the source in the table, `misfits` the values that the column's type
 * rejects. Values of the classes `never` mean never: the API says something, but no value. A column that views need
 * is compared however few records it fills. One that was not full before must be full twice.
 */
export function filledAfter(
  before: Filled | undefined,
  options: {
    readonly profile: ColumnProfile | undefined;
    readonly records: number;
    readonly misfits: number;
    readonly never: readonly ValueClass[];
    readonly isNeeded: boolean;
  },
  run: { readonly runId: string; readonly exportDate: string },
): Filled | undefined {
  const { profile, records, misfits, never, isNeeded } = options;
  if (records === 0) return before;
  const said =
    profile === undefined ? 0 : Math.max(0, countOf(profile) - countOf(profile, ['empty']) - misfits);
  const values = profile === undefined ? 0 : Math.max(0, said - countOf(profile, never));
  const full = before?.full;
  if (isFull({ records, values, said })) {
    const isUsual = before === undefined || full !== undefined || isFull({ ...before, said: before.values });
    return { records, values, ...(isUsual && { full: { records, values } }) };
  }
  if (isNeeded && values >= Math.max(MANY, full?.values ?? 0))
    return { records, values, full: { records, values } };
  if (full === undefined) return { records, values };
  const was = { records: full.records, values: full.values };
  // New records without a value empty nothing.
  const isLeft = 2 * values >= was.values || values * was.records >= NEARLY_NONE * was.values * records;
  if (isLeft || (records < MANY && before?.emptied === undefined)) return { records, values, full: was };
  const emptied = before?.emptied ?? { since: run.runId, date: run.exportDate, ...was };
  return { records, values, full: was, emptied };
}

function isFull({ records, values, said }: Pick<Filled, 'records' | 'values'> & { readonly said: number }) {
  return values >= MANY && said >= NEARLY_ALL * records;
}
