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
  /** The parameters by whose first number the server has given a parent's first page; one that is found is added. */
  readonly readParams?: Set<string> | undefined;
}

/** What to do after a page. */
export interface Turn {
  /** The target of the next page; null after the last. */
  readonly target: Target | null;
  /** False for a page that repeats an earlier one: its records do not count. */
  readonly isKept: boolean;
}
