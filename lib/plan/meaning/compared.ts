import { type Path, pathText } from '../../schema/columns/assign-names.ts';
import type { Changed, Sampled, Trait } from '../../schema/columns/sampled.ts';

/** With fewer records, nothing is noted. */
export const MANY = 10;
export const NEARLY_ALL = 0.9;

/** A record's value before and now. */
export interface Pair {
  readonly was: NonNullable<Trait>;
  readonly is: NonNullable<Trait>;
}

/** The values at a path of the records that both runs sampled. */
export function pairsOf(path: Path, { before, now }: Samples): readonly Pair[] {
  const [then, since] = [before.traits[pathText(path)] ?? [], now.traits[pathText(path)] ?? []];
  return now.ids.flatMap((id, at) => {
    const [was, is] = [then[before.ids.indexOf(id)] ?? null, since[at] ?? null];
    return was === null || is === null ? [] : [{ was, is }];
  });
}

/** The records that each of two runs sampled. */
export interface Samples {
  readonly before: Sampled;
  readonly now: Sampled;
}

export type Change = Omit<Changed, 'since' | 'date'>;

export interface Compared {
  readonly pairs: readonly Pair[];
  /** The time of both runs, in seconds. */
  readonly at: { readonly was: number; readonly is: number };
  /** A change of an earlier day that is still there. */
  readonly known: Changed | undefined;
}

/** What values did, if they all did the same. */
export interface Step extends Omit<Change, 'says'> {
  /** How many values could do it, and how many did. */
  readonly of: number;
  readonly changed: number;
  /** So much of them must have done it. @default NEARLY_ALL */
  readonly share?: number;
  /** What they are now; without `before` it ends with a comparison: `2 h later than`. */
  readonly now: string;
  readonly before?: string;
}

/** The most frequent one; undefined of none. */
export function mostFrequent<Item>(items: readonly Item[]): Item | undefined {
  const groups = [...Map.groupBy(items, (item) => item)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
