import type { Fact } from './facts.ts';
import type { NumberRole } from './role.ts';

/** Something that a fact says about pages. */
export interface Said<T> {
  readonly name: string;
  readonly value: T;
}

/** All that an answer says about the pages of its listing. */
export interface Signals {
  /** The row of conventions that it was read by; `words` where none fits. */
  readonly convention: string;
  /** The next page's address, absolute or relative. */
  readonly next: (Said<string> & { readonly by: 'link' | 'next' }) | null;
  /** What the next page is asked for with; `param` is null where only its name suggests one. */
  readonly token: (Said<string> & { readonly place: string; readonly param: string | null }) | null;
  /** The member for the next page is null or empty, or left out where that means the end. */
  readonly ended: { readonly name: string; readonly by: 'link' | 'next' | 'cursor' } | null;
  readonly more: Said<boolean> | null;
  readonly numbers: Readonly<Partial<Record<Exclude<NumberRole, 'total'>, Said<number>>>>;
  /** The parameter of pages that a convention is known for. */
  readonly param: string | null;
  /** The number of the first page, where the convention is known for it. */
  readonly firstPage: number | null;
  readonly totals: readonly Said<number>[];
  /** HTTP 206 with `Content-Range: items 0-19/34`. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** What nobody has explained, and would lead to more records if it means what it may mean. */
  readonly open: readonly Fact[];
}

/** Signals in the making. */
export type Draft = { -readonly [K in keyof Signals]: Signals[K] } & {
  numbers: Partial<Record<Exclude<NumberRole, 'total'>, Said<number>>>;
  totals: Said<number>[];
  open: Fact[];
  own: Signals['token'];
};
