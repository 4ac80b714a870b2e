import type { PagingStyle } from '../../config/paging-style.ts';
import type { RawRow } from '../../lake/raw/raw.ts';
import type { Resource, Target } from '../../sources/resources.ts';
import type { ListingError } from '../codes.ts';
import type { Contract } from '../contract/contract.ts';
import type { Siblings } from '../contract/siblings.ts';
import type { Fact } from '../read/facts.ts';
import type { Signals } from '../read/said.ts';
import type { SeenPages } from './sketch.ts';
import type { Totals } from './totals.ts';

/** A readable answer with or without records. */
export interface Page {
  readonly kind: 'page';
  readonly target: Target;
  readonly signals: Signals;
  readonly facts: readonly Fact[];
  /** Where its records are; null where it has no place for them. */
  readonly envelope: string | null;
  /** The same, or the known place. */
  readonly usualEnvelope: string;
  /** The number of its records. Entries that are null may count too. */
  readonly count: number;
  /** Its records, slice by slice. May be read again. */
  readonly records: () => Iterable<readonly unknown[]>;
  /** Its raw rows. This makes it the listing's next page. `look` gets the records of each row. */
  readonly rows: (look: (records: readonly unknown[]) => void) => Generator<RawRow>;
  readonly close: () => void;
}

/** A call that was refused, or an unreadable answer. */
export interface NoPage {
  readonly kind: 'none';
  readonly target: Target;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Ends the listing with the call's result, or with this error. */
  readonly fail: (means?: ListingError) => Promise<never>;
}

/** Requests the pages of one listing. */
export interface PageReader {
  readonly ask: (target: Target) => Promise<Page | NoPage>;
  /** The rows of calls without a page, since the last call of this. */
  readonly calls: () => readonly RawRow[];
}

export interface ListingAsked {
  readonly resource: Resource;
  /** The parent's id; null for a listing without parent. */
  readonly parentId: string | null;
  /** The source's origin. */
  readonly baseUrl: string;
  /** The target of the listing. */
  readonly plain: Target;
  /** What earlier days have shown. */
  readonly contract: Contract | undefined;
  /** What the listings of other parents have shown. */
  readonly siblings: Siblings;
  /** The style of the setting `paging`. */
  readonly forced: PagingStyle | null;
  /** `resources.NAME.ignore` */
  readonly ignore: readonly string[];
  /** `resources.NAME.complete` */
  readonly isDeclaredComplete: boolean;
  /** False where the config says that no field is an id. */
  readonly hasIds: boolean;
}

/**
 * The proof that no page follows: a next or more that says no, a reached total, or a page that is empty,
 * repeated or missing. `own-length`: a total or a number of pages from the page's own length. `nothing`: no
 * word about pages.
 */
export type Proof =
  | 'said'
  | 'total'
  | 'empty'
  | 'repeated'
  | 'missing'
  | 'declared'
  | 'own-length'
  | 'nothing';

/** A listing that was read to its end; `pageSize` is that of the first page. */
export interface PagesRead
  extends Readonly<Omit<Reading, 'asked' | 'reader' | 'seen' | 'page' | 'empty' | 'isCountWrong' | 'count'>> {
  readonly pages: number;
  readonly proof: Proof;
  readonly opening: Page;
  /** True where the first page was requested by its number. */
  readonly wasNumbered: boolean;
  /** Records that came on two pages. */
  readonly repeats: number;
}

/** The state of a listing while its pages are read. */
export interface Reading {
  readonly asked: ListingAsked;
  readonly reader: PageReader;
  readonly seen: SeenPages;
  readonly totals: Totals;
  style: PagingStyle;
  /** The number or offset of the first page. */
  base: number;
  page: number;
  items: number;
  /** Records on the first page. */
  pageSize: number;
  /** Empty pages since the last record. */
  empty: number;
  /** True where its counts may be of the page alone, and the page after it is requested. */
  isCountWrong: boolean;
  /** True: the page after the first is empty, and the number of the first returns it. */
  isOnlyPage: boolean;
  /** Where the records are; null where no page has a place for them. */
  envelope: string | null;
  /** A way to more pages that was found by trying. It was not followed if it did not prove itself. */
  found: { readonly style: string; readonly isFollowed: boolean } | null;
  /** A page after full ones was refused: the server may not return more than these. */
  refusedAt: string | null;
  /** The last record of the latest page. */
  last: unknown;
  /** Records on that page. */
  count: number;
}
