import type { Resource, Target } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import type { PagedAnswer } from '../beside/page-facts.ts';
import type { Dialect } from '../dialect.ts';
import type { Shown } from '../shown.ts';
import type { EndFault } from './end-fault.ts';
import type { FurtherTries } from './further-tries.ts';
import type { OpenedRecords } from './told-on-pages.ts';

export interface PagerOptions {
  readonly source: Source;
  readonly resource: Resource;
  /** The target of the listing. */
  readonly target: Target;
  readonly lock: Dialect | undefined;
  /** What another parent's answer proves. */
  readonly form?: Dialect | undefined;
  /** What the listings of all parents have shown. What this one shows is added. @default nothing */
  readonly shown?: Shown | undefined;
}

/** What to do after a page. */
export interface Turn {
  /** The target of the next page; null after the last. */
  readonly target: Target | null;
  /** False for a page that repeats an earlier one: its records do not count. */
  readonly isKept: boolean;
}

/** What a page says beside its records, and where they are. */
export interface OpenedPage
  extends Pick<PagedAnswer, 'headers' | 'beside' | 'status' | 'form'>,
    OpenedRecords {}

/** Follows a listing from page to page, and demands proof that each page is a new one. */
export interface Pager extends Pick<FurtherTries, 'isTrying' | 'ahead'> {
  /** The target of the first page. */
  readonly first: Target;
  /** True if the present page was asked for only to see if it exists. */
  readonly isProbe: () => boolean;
  /** Reads what a page says about the others, before its records are looked at. Throws ListingError. */
  readonly open: (page: OpenedPage) => void;
  readonly look: (records: readonly unknown[]) => void;
  /** Ends the page of so many records. Throws ListingError. */
  readonly next: (count: number) => Turn;
  /**
   * Says what a refused page means: one that was asked for only to see is not there, which ends the listing. Throws
   * ListingError where the parameter may be wrong. Null where the refusal says nothing about pages.
   */
  readonly refused: (status: number | null) => Turn | null;
  /** Of an answer to a try that is the first page byte for byte. */
  readonly again: () => Turn;
  readonly found: () => Omit<Dialect, 'envelope'>;
  /** What stood beside the records of all pages. */
  readonly words: () => readonly string[];
  /** Why a listing that has ended may not be whole; null if it is whole. */
  readonly doubt: () => EndFault | null;
}
