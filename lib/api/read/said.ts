import type { Fact } from './facts.ts';
import type { NumberRole } from './role.ts';

/** What a fact says about pages. */
export interface Said<T> {
  readonly name: string;
  readonly value: T;
  /** For a total: how clearly it counts the records. */
  readonly rank?: number;
}

/** All signals of an answer about the pages of its listing. */
export interface Signals {
  /** The next page's address, absolute or relative. */
  readonly next: (Said<string> & { readonly by: 'link' | 'next' }) | null;
  /** The token for the next page. */
  readonly token: (Said<string> & { readonly place: string }) | null;
  /** True for an empty or null member for the next page, which may be absent where there is one. */
  readonly isEnded: boolean;
  readonly more: Said<boolean> | null;
  readonly numbers: Readonly<Partial<Record<Exclude<NumberRole, 'total'>, Said<number>>>>;
  readonly totals: readonly Said<number>[];
  /** HTTP 206 with `Content-Range: items 0-19/34`. */
  readonly isRange: boolean;
  /** Unexplained facts that might lead to more records. */
  readonly open: readonly Fact[];
  /** Totals of other things next to one of the records. */
  readonly foreign: readonly Said<number>[];
}

/** Unfinished signals. */
export type Draft = { -readonly [K in keyof Signals]: Signals[K] } & {
  numbers: Partial<Record<Exclude<NumberRole, 'total'>, Said<number>>>;
  totals: Said<number>[];
  open: Fact[];
  own: Signals['token'];
};
