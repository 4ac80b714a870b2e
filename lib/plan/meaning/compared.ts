import type { Changed, Trait } from '../../schema/columns/sampled.ts';

/** With fewer records, nothing is noted. */
export const MANY = 10;
export const NEARLY_ALL = 0.9;

/** A record's value before and now. */
export interface Pair {
  readonly was: NonNullable<Trait>;
  readonly is: NonNullable<Trait>;
}

export type Change = Omit<Changed, 'since' | 'date'>;

export interface Compared {
  readonly pairs: readonly Pair[];
  /** The time of both runs, in seconds. */
  readonly at: { readonly was: number; readonly is: number };
  /** A change of an earlier day that is still there. */
  readonly known?: Changed | undefined;
  /** True if the column says what a record is, and not what it does: its values do not turn on one day. */
  readonly isLasting?: boolean;
  /** The date since which the change applies. */
  readonly date: string;
}

export const counts = (some: readonly unknown[], all: readonly unknown[]): string =>
  `of ${all.length} values that were compared, ${some.length}`;
