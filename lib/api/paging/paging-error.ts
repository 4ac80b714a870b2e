import type { PagingStyle } from '../../config/paging-style.ts';
import type { Cure } from '../../sources/question.ts';
import type { Resource, Target } from '../../sources/resources.ts';
import { counted } from '../../text.ts';
import type { Said } from '../beside/beside.ts';
import type { PageFacts } from '../beside/page-facts.ts';
import { type ApiCode, curesOf } from '../codes.ts';
import { ListingError } from '../listing-error.ts';
import { unexplainedCures, unexplainedText } from './unexplained.ts';

const CALL_IS_WRONG: ReadonlySet<number> = new Set([400, 404, 405, 406, 409, 410, 416, 422]);

/** True if the server does not take the call as it is, or has nothing there. */
export function isCallWrong(status: number): boolean {
  return CALL_IS_WRONG.has(status);
}

/** A page that the server has refused, and what was read before it. */
export interface RefusedPage {
  /** Null where no answer came. */
  readonly status: number | null;
  /** From 0. */
  readonly page: number;
  /** True if the page was asked for only to see if it exists. */
  readonly isProbe: boolean;
  /** True if it was the first page by its number, which shows whether the server reads the parameter. */
  readonly isControl: boolean;
  /** Records on the first page, and on all. */
  readonly pageSize: number;
  readonly items: number;
  /** The number of records of the listing, if known. */
  readonly total: number | null;
  /** `resources.NAME.complete` */
  readonly isDeclaredComplete: boolean;
}

/** What a refusal says: nothing about pages, that the page before was the last, or that the listing cannot be read. */
export function refusalOf({
  status,
  page,
  isProbe,
  isControl,
  pageSize,
  items,
  total,
  isDeclaredComplete,
}: RefusedPage): 'nothing' | 'end' | 'LISTING_UNSTABLE' | 'PAGING_UNPROVEN' {
  // Behind the declared total a page is asked for only to see.
  const isSurplus = isProbe && total !== null && items >= total;
  if (page === 0 || status === null || !(isSurplus || isCallWrong(status))) return 'nothing';
  const isMissing = status === 404 || status === 410;
  // Behind a second page with records the parameter is known to be right.
  const isFollowed = items > pageSize;
  if (isControl || (isProbe && isMissing)) return 'end';
  // Behind full pages alone there may be more, which the server does not give: "only the first 1000 results are available".
  const isShortened = items < page * pageSize || isDeclaredComplete;
  if (isProbe && isFollowed) return isShortened || isSurplus ? 'end' : 'PAGING_UNPROVEN';
  if (isFollowed) return isMissing ? 'LISTING_UNSTABLE' : 'nothing';
  return 'PAGING_UNPROVEN';
}

/** The error of a listing's pages. Where nothing but a guess was followed, it names what nobody has explained. */
export function pagingError(
  {
    code,
    what,
    cures,
  }: { readonly code: ApiCode; readonly what: string; readonly cures: readonly Cure[] | undefined },
  {
    resource: { name: resource },
    unexplained,
    others = [],
    setting,
  }: {
    readonly resource: Resource;
    readonly unexplained: readonly Said[];
    /** The styles that the config names for other listings of the source. */
    readonly others?: readonly string[];
    /** The style that the config names for the listing: it is no cure. */
    readonly setting?: string | undefined;
  },
): ListingError {
  const isGuess = code === 'PAGING_UNPROVEN' && cures === undefined && unexplained.length > 0;
  const says = isGuess ? `${what}. ${unexplainedText(unexplained)}` : what;
  // The page shows that there is paging: `ignore`, the first of the cures, is none.
  const own = isGuess ? unexplainedCures(unexplained, { resource }).slice(1) : cures;
  const all = (own ?? curesOf(code, resource)).map((cure) =>
    cure.setting.endsWith('.paging') && cure.open !== undefined
      ? { ...cure, choices: [...new Set([...others, ...cure.choices])].filter((each) => each !== setting) }
      : cure,
  );
  return new ListingError(code, says, { resource, cures: all });
}

/** The error where the setting names a page as the first, and this page says that it is not; null where it does not. */
export function startsLate(
  { notFirst }: PageFacts,
  { style, resource }: { readonly style: PagingStyle | null; readonly resource: Resource },
): ListingError | null {
  if (notFirst === null || style?.name !== 'page' || style.start === null) return null;
  const earlier = `page:${style.param}=${Math.max(0, style.start - 1)}`;
  const what = `The setting paging begins with ${style.param}=${style.start}, and ${notFirst} says that it is not the first page`;
  const cures = [{ setting: `resources.${resource.name}.paging`, choices: [earlier] }];
  return pagingError({ code: 'PAGING_UNPROVEN', what, cures }, { resource, unexplained: [] });
}

/** The error where the setting names a number as the first, by which there is no record, and without it there are some. */
export function startsEarly({
  style,
  count,
  resource,
}: {
  readonly style: PagingStyle;
  readonly count: number;
  readonly resource: Resource;
}): ListingError {
  const start = style.start ?? 0;
  const says = `With ${style.param}=${start} there is no record, and without it there are ${count}`;
  const cure: Cure = {
    setting: `resources.${resource.name}.paging`,
    choices: [`${style.name}:${style.param}=${start + 1}`],
    open: 'the style of the listing with its own parameter and the number of its first page or record',
  };
  return new ListingError('PAGING_UNPROVEN', says, { resource: resource.name, cures: [cure] });
}

export function unreadText(page: number, { param }: PagingStyle): string {
  return `Page ${page} is empty, as every answer to a parameter that the server does not know: ${param} may be one`;
}

export interface ByNumber {
  readonly resource: Resource;
  readonly style: PagingStyle;
  /** The target of the first page, its number, and how many records it has. */
  readonly first: Target;
  readonly base: number;
  readonly pageSize: number;
  /** Records on page 1 or 2, asked for by its number. */
  readonly count: number;
}

/**
 * Throws ListingError where a page that was asked for by its number has more records than the first, which was not: the number
 * changes how many a page has, so some may be on neither page 1 nor page 2.
 */
export function rejectGrown({ resource, style, first, base, pageSize, count }: ByNumber): void {
  if (style.name !== 'page' || first.query[style.param] !== undefined || count <= pageSize) return;
  const what = `A page that is asked for by ${style.param} has ${count} records, and the first one, which was not, has ${pageSize}: some may be on no page`;
  const choices = [...new Set([base, 1])].map((start) => `page:${style.param}=${start}`);
  const cures = [{ setting: `resources.${resource.name}.paging`, choices: choices.reverse() }];
  throw pagingError({ code: 'PAGING_UNPROVEN', what, cures }, { resource, unexplained: [] });
}

/** Throws ListingError where records have moved between the pages of a parent's listing, which is read once. */
export function rejectMoved({
  resource,
  pages,
  hasChanged,
  repeats,
}: {
  readonly resource: Resource;
  readonly pages: number;
  /** Whether what the pages declare has changed. */
  readonly hasChanged: boolean;
  /** Records that came twice. */
  readonly repeats: number;
}): void {
  if (resource.parent === null || (!hasChanged && repeats === 0)) return;
  const seen = repeats > 0 ? `${counted(repeats, 'record')} came twice` : 'what they declare changed';
  const whole = {
    setting: `resources.${resource.name}.complete`,
    choices: [true],
    when: 'the API has them so',
  };
  const says = `While its ${pages} pages were read, ${seen}`;
  throw new ListingError('LISTING_UNSTABLE', says, { resource: resource.name, cures: [whole] });
}
