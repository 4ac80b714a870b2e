import type { PagingStyle } from '../../config/paging-style.ts';
import type { Resource, Target } from '../../sources/resources.ts';
import type { Contract } from '../contract/contract.ts';
import type { Siblings } from '../contract/siblings.ts';
import { withLastToken } from './last-token.ts';
import type { Page, PageReader } from './page-reader.ts';
import type { SeenPages } from './sketch.ts';
import type { PageState, Proof } from './step.ts';
import type { Totals } from './totals.ts';

export interface ListingAsked {
  readonly resource: Resource;
  /** The id of the parent whose children they are; null for a listing without parent. */
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
  /** The styles that the config names for other listings of the source. */
  readonly others: readonly string[];
}

/** A listing that was read to its end. */
export interface PagesRead {
  readonly style: PagingStyle;
  /** The number or offset of the first page. */
  readonly base: number;
  readonly pages: number;
  readonly items: number;
  /** Records on the first page. */
  readonly pageSize: number;
  readonly proof: Proof;
  readonly opening: Page;
  /** The first page was requested by its number. */
  readonly wasNumbered: boolean;
  /** Where the records are; null where no page has a place for them. */
  readonly envelope: string | null;
  readonly totals: Totals;
  /** Records that came on two pages. */
  readonly repeats: number;
  /** A way to further pages that was found by trying, and was followed; or one that was not, for it did not prove itself. */
  readonly found: { readonly style: string; readonly isFollowed: boolean } | null;
  /** A page behind full ones was refused: the server may not return more than these. */
  readonly refusedAt: string | null;
}

/** Where a listing stands while its pages are read. */
export interface Reading {
  readonly asked: ListingAsked;
  readonly reader: PageReader;
  readonly seen: SeenPages;
  readonly totals: Totals;
  style: PagingStyle;
  base: number;
  page: number;
  items: number;
  pageSize: number;
  empty: number;
  isCountWrong: boolean;
  envelope: string | null;
  found: PagesRead['found'];
  refusedAt: string | null;
  /** The last record of the page that was read last. */
  last: unknown;
  /** Records on that page. */
  count: number;
  /** A page behind one that only counts itself is looked at. */
  mayLook: boolean;
  /** All its records can be compared with those of another answer. */
  isSketched: boolean;
}

/** The state of a page whose records are counted. */
export function stateOf(reading: Reading, page: Page, count = reading.count): PageState {
  const { style, base, items, pageSize, isCountWrong, totals, asked } = reading;
  return {
    style,
    signals: withLastToken(page.signals, { style, last: count === 0 ? null : reading.last }),
    baseUrl: asked.baseUrl,
    target: page.target,
    page: reading.page,
    count,
    items,
    pageSize,
    base,
    total: isCountWrong ? null : totals.latest(),
    isCountWrong,
  };
}
