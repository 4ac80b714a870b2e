import { NO_PAGING, type PagingStyle, type StyleName } from '../../config/paging-style.ts';
import type { PageFacts } from '../beside/page-facts.ts';
import { type Fact, isLengthOfList } from '../beside/page-roles.ts';
import { wordsOf } from '../beside/words.ts';

/**
 * The style that the first page's facts speak for; none where they say nothing. `query` is what the page was asked with:
 * a parameter that the listing's own path has may be the page's.
 */
export function styleOfFacts(facts: PageFacts, query: Readonly<Record<string, string>> = {}): PagingStyle {
  const { nextUrl, token, ended, more, numbers } = facts;
  const style = (name: StyleName, param: string): PagingStyle => ({ ...NO_PAGING, name, param });
  if (nextUrl !== null) return style(nextUrl.style, '');
  const numbered = token === null ? undefined : paramOfNextNumber(token, { facts, query });
  if (numbered !== undefined && more?.value !== false) return style('cursor', numbered);
  // Where the total is of more records than came, the flag is about something else (saysLast in page-step.ts).
  const mayFollow = more?.value !== false || facts.totals.length > 0;
  if (token !== null && mayFollow) return style('cursor', paramOfToken(token.name));
  if (ended !== null) return style(ended.style, ended.style === 'cursor' ? paramOfToken(ended.name) : '');
  if (more?.value === false) return NO_PAGING;
  // What a page says of its own number or offset is what it is asked for by; how long it is names no parameter.
  const { page, pages, pageSize, offset, limit } = numbers;
  if (page !== undefined) return style('page', paramOfPage(page.name));
  if (offset !== undefined) return style('offset', paramOfOffset(offset.name));
  if (pages ?? pageSize) return style('page', 'page');
  if (limit !== undefined) return style('offset', besideLimit(limit.name));
  return NO_PAGING;
}

/** True if all that speaks of pages is a `size` or `length` that is the number of records on the page: so many are in the list. */
export function saysOwnLength({ nextUrl, token, ended, more, numbers }: PageFacts, count: number): boolean {
  const { pageSize, limit, ...others } = numbers;
  const size = pageSize ?? limit;
  const isAlone = (nextUrl ?? token ?? ended ?? more) === null && Object.keys(others).length === 0;
  return isAlone && size?.value === count && isLengthOfList(wordsOf(ownName(size.name)));
}

/**
 * What a page is asked for by where `next` is its number: the parameter that the listing was asked with and that holds
 * the number before (`?_page=1` beside `"next": 2`), else `page` where pages are counted.
 */
function paramOfNextNumber(
  { name, value }: Fact<string>,
  { facts, query }: { readonly facts: PageFacts; readonly query: Readonly<Record<string, string>> },
): string | undefined {
  if (!/^\d{1,9}$/.test(value) || wordsOf(ownName(name)).join(' ') !== 'next') return undefined;
  const [asked] = Object.entries(query).find(([, each]) => each === String(Number(value) - 1)) ?? [];
  return asked ?? (facts.numbers.pages === undefined ? undefined : 'page');
}

/** Members that stand for their object, whose name is the parameter's. */
const STANDS_FOR = new Set(['value', 'token', 'id']);

/** The member's own name, a header's without `X-` and its vendor. */
function ownName(name: string): string {
  const parts = name.replace(/^x-(ms-)?/i, '').split('.');
  const own = parts.at(-1) ?? '';
  const holder = parts.at(-2);
  return STANDS_FOR.has(own.toLowerCase()) && holder !== undefined ? holder : own;
}

/** `nextMarker` → `marker`, `next_page_token` → `page_token`; `nextPage` with a number → `page`; `nextToken` stays. */
export function paramOfToken(name: string): string {
  const own = ownName(name);
  const words = wordsOf(own);
  if (words.join(' ') === 'next token') return own;
  const rest = /^next[_-]?/i.test(own)
    ? own.replace(/^next[_-]?/i, '')
    : own.replace(/^(end|last)[_-]?(?=cursor$)/i, '');
  return rest === '' ? 'cursor' : rest.charAt(0).toLowerCase() + rest.slice(1);
}

/** `current_page` is asked for as `page`; `pageNumber` as itself. */
function paramOfPage(name: string): string {
  const own = ownName(name);
  const words = wordsOf(own);
  const isItself = words[0] === 'page' || words[0] === 'pg';
  return isItself ? own.charAt(0).toLowerCase() + own.slice(1) : 'page';
}

function paramOfOffset(name: string): string {
  const own = ownName(name);
  return own.charAt(0).toLowerCase() + own.slice(1);
}

/** OData and LINQ pair `top` and `take` with `skip`. */
function besideLimit(name: string): string {
  const own = ownName(name);
  return /top|take/i.test(own) ? own.replace(/top|take/i, 'skip') : 'offset';
}
