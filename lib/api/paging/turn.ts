import type { Resource, Target } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import type { Dialect } from '../dialect.ts';

export interface PagerOptions {
  readonly source: Source;
  readonly resource: Resource;
  /** The target of the listing. */
  readonly target: Target;
  readonly lock: Dialect | undefined;
  /** What another parent's answer proves. */
  readonly form?: Dialect | undefined;
  /** What the listings of all parents have shown: parameters of pages that are read, and flags that end a listing. What this one shows is added. */
  readonly shown?: Set<string> | undefined;
}

/** What to do after a page. */
export interface Turn {
  /** The target of the next page; null after the last. */
  readonly target: Target | null;
  /** False for a page that repeats an earlier one: its records do not count. */
  readonly isKept: boolean;
}
