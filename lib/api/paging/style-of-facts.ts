import { NO_PAGING, type PagingStyle, type StyleName } from '../../config/paging-style.ts';
import type { PageFacts } from './page-facts.ts';

/** The style that the first page's facts speak for; none where they say nothing. */
export function styleOfFacts(facts: PageFacts): PagingStyle {
  const { nextUrl, token, ended, more, numbers } = facts;
  const style = (name: StyleName, param: string): PagingStyle => ({ name, param, start: null, size: null });
  if (nextUrl !== null) return style(nextUrl.style, '');
  if (token !== null && more?.value !== false) return style('cursor', paramOfToken(token.name));
  if (ended !== null || more?.value === false)
    return ended === null ? NO_PAGING : style(/next$|link$|url$/i.test(ended) ? 'next' : 'cursor', '');
  if (numbers.page ?? numbers.pages ?? numbers.pageSize)
    return style('page', paramOfPage(numbers.page?.name));
  if (numbers.offset ?? numbers.limit)
    return style('offset', numbers.offset?.name ?? paramOfLimit(numbers.limit?.name ?? ''));
  return NO_PAGING;
}

/** `nextMarker` → `marker`, `next_page_token` → `page_token`; `nextPage` with a number → `page`; `nextToken` stays. */
function paramOfToken(name: string): string {
  if (/^next[_-]?token$/i.test(name)) return name;
  const rest = name.replace(/^next[_-]?/i, '');
  return rest === '' ? 'cursor' : rest.charAt(0).toLowerCase() + rest.slice(1);
}

function paramOfPage(name: string | undefined): string {
  return name === undefined || /^(current|number$)/i.test(name) ? 'page' : name;
}

/** OData and LINQ pair `top` and `take` with `skip`. */
function paramOfLimit(name: string): string {
  return /top|take/i.test(name) ? name.replace(/top|take/i, 'skip') : 'offset';
}
