import { type PagingStyle, parsePaging } from '../../config/paging-style.ts';
import type { Resource, Target } from '../../sources/resources.ts';
import type { Dialect } from '../dialect.ts';
import type { Shown } from '../shown.ts';
import type { End } from './page-step.ts';

/** A listing of which the last page that was asked for has so many records. */
export interface LastAsked {
  readonly resource: Resource;
  readonly style: PagingStyle;
  /** The target of the first page. */
  readonly first: Target;
  readonly lock: Dialect | undefined;
  /** What another parent's answer proves. */
  readonly form: Dialect | undefined;
  readonly shown: Pick<Shown, 'isRead' | 'takeLook'>;
  /** From 0. */
  readonly page: number;
  readonly by: End;
  readonly count: number;
  /** Records on the first page, and on all. */
  readonly pageSize: number;
  readonly items: number;
  /** `resources.NAME.complete` */
  readonly isDeclaredComplete: boolean;
}

/**
 * Whether further pages without a record prove nothing yet: some servers take a parameter that they do not know for
 * a filter, which no record passes.
 */
export function isControlDue(asked: LastAsked): boolean {
  const { style, first, lock, form, page, by, count, pageSize, items } = asked;
  const isEnd = (by === 'empty' || by === 'said') && count === 0 && page > 0;
  const isFirstAll = items > 0 && items === pageSize;
  // Where the first page was asked for with the parameter too, and has records, it is no filter that none passes.
  const isKnown = style.param === '' || first.query[style.param] !== undefined;
  const isShown = lock?.pageSize !== undefined || isShownBy(form, style) || asked.shown.isRead(style.param);
  return isEnd && isFirstAll && !isKnown && !isShown && !asked.isDeclaredComplete;
}

/**
 * Whether the first page is asked for by its number too, for the number may change how many records a page has: the last page is
 * page 2 and has no more records than page 1, as behind 8 of 11 records to a plain call, and 10 a page to a number; or there is
 * no page 2, though it was asked for. Most children have one page: of them the longest are looked at.
 */
export function isSizeDue({
  resource,
  style,
  first,
  lock,
  form,
  pageSize,
  items,
  total,
  isFurtherAsked,
  isDeclaredComplete,
  shown,
}: Pick<
  LastAsked,
  'resource' | 'style' | 'first' | 'lock' | 'form' | 'pageSize' | 'items' | 'isDeclaredComplete' | 'shown'
> & {
  readonly total: number | null;
  /** Whether any page but the first was asked for. */
  readonly isFurtherAsked: boolean;
}): boolean {
  const isOnePage = isFurtherAsked && items > 0 && items === pageSize;
  const isTwoPages = items > pageSize && items <= 2 * pageSize;
  const isNumbered = style.name === 'page' && first.query[style.param] === undefined;
  const isProven = total === items || isDeclaredComplete || isShownBy(lock, style) || isShownBy(form, style);
  if (!isNumbered || isProven) return false;
  return isTwoPages || (isOnePage && (resource.parent === null || shown.takeLook(items)));
}

/**
 * Whether the page behind the first empty one is asked for: a page in the middle may be empty. Only while the listing is new,
 * for a server that leaves pages empty does so on any day.
 */
export function isGapDue({
  resource,
  style,
  lock,
  page,
  by,
}: Pick<LastAsked, 'resource' | 'style' | 'lock' | 'page' | 'by'>): boolean {
  return (
    by === 'empty' && style.name === 'page' && page > 1 && lock === undefined && resource.parent === null
  );
}

/**
 * Whether the listing is asked for without the first page's number too: it has no record by that number, which may be too low. A
 * server that counts records from 1 may give none for 0.
 */
export function isPlainDue({
  resource,
  style,
  first,
  lock,
  page,
  items,
  isDeclaredComplete,
}: Omit<LastAsked, 'by'>): boolean {
  const isNumbered = first.query[style.param] !== undefined && style.start !== null;
  const isEmpty = page === 0 && items === 0 && resource.parent === null;
  return isNumbered && isEmpty && !isDeclaredComplete && !isShownBy(lock, style);
}

/** Whether a dialect shows that further pages were asked for in this style, and came. */
export function isShownBy(dialect: Dialect | undefined, style: PagingStyle): boolean {
  const shown = dialect?.pageSize === undefined ? null : parsePaging(dialect.paging);
  return shown?.name === style.name && shown.param === style.param;
}
