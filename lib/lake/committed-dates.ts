import type { Head } from './head.ts';

/** The dates of which a run is committed. */
export function committedDates(head: Pick<Head, 'tables'> | undefined): readonly string[] {
  return Object.keys(head?.tables['runs']?.dates ?? {});
}

/**
 * The oldest of the newest `count` dates; '' where there are not so many. Retention counts dates and never measures how
 * long ago they are: a clock that is years ahead would call all of them old.
 */
export function oldestOf(dates: Iterable<string>, count: number): string {
  const newestFirst = [...new Set(dates)].sort().reverse();
  return newestFirst[count - 1] ?? '';
}
