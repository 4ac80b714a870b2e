import type { Head } from './head.ts';

/** The dates that have a committed run. */
export function committedDates(head: Pick<Head, 'tables'> | undefined): readonly string[] {
  return Object.keys(head?.tables['runs']?.dates ?? {});
}

/**
 * The oldest of the newest `count` dates; '' where there are fewer. Retention counts dates and ignores their
 * age: a clock that is years ahead would make all of them old.
 */
export function oldestOf(dates: Iterable<string>, count: number): string {
  const newestFirst = [...new Set(dates)].sort().reverse();
  return newestFirst[count - 1] ?? '';
}
