import { type ColumnProfile, countOf } from './value-classes.ts';

/** How many of a source's records had a value at a path, in the last run that saw any. */
export interface Filled {
  readonly records: number;
  readonly values: number;
  /** Nearly no record has a value any more, though nearly all had: how many, and the run and date of the first without. */
  readonly emptied?: Emptied;
}

export interface Emptied {
  readonly since: string;
  readonly date: string;
  readonly records: number;
  readonly values: number;
}

/** Of fewer records nothing is said: a few of them decide the share. */
const MANY = 10;
const NEARLY_ALL = 0.9;
const NEARLY_NONE = 0.1;
/** Texts that say nothing, and times that mean never, are no values. */
const SAY_NOTHING = ['empty', 'sentinel'] as const;

/**
 * What is known of a path after a run. `now` has its values in this run, null where the run saw no record; `records` counts
 * those of the source in the table, with and without the path.
 */
export function filledAfter(
  before: Filled | undefined,
  now: { readonly profile: ColumnProfile | undefined; readonly records: number },
  run: { readonly runId: string; readonly exportDate: string },
): Filled | undefined {
  if (now.records === 0) return before;
  const { profile, records } = now;
  const values = profile === undefined ? 0 : countOf(profile) - countOf(profile, SAY_NOTHING);
  if (records < MANY) return { records, values, ...(values === 0 && emptiedOf(before)) };
  const isEmpty = values < NEARLY_NONE * records;
  if (!isEmpty) return { records, values };
  if (before?.emptied !== undefined) return { records, values, emptied: before.emptied };
  const wasFull =
    before !== undefined && before.records >= MANY && before.values >= NEARLY_ALL * before.records;
  if (!wasFull) return { records, values };
  const emptied = { since: run.runId, date: run.exportDate, records: before.records, values: before.values };
  return { records, values, emptied };
}

function emptiedOf(before: Filled | undefined): Pick<Filled, 'emptied'> {
  return before?.emptied === undefined ? {} : { emptied: before.emptied };
}
