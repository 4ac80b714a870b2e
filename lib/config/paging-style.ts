import type { PageFacts } from '../api/paging/page-facts.ts';

export type StyleName = 'none' | 'link' | 'next' | 'cursor' | 'page' | 'offset';

/** How the pages of a listing are asked for. */
export interface PagingStyle {
  readonly name: StyleName;
  /** The query parameter of cursor, page and offset. */
  readonly param: string;
  /** The first page's number or offset; null where the first page is asked for without. */
  readonly start: number | null;
  /** A query parameter that sets the page's size. */
  readonly size: { readonly param: string; readonly value: number } | null;
}

const PARAMS: Readonly<Record<StyleName, string>> = {
  none: '',
  link: '',
  next: '',
  cursor: 'cursor',
  page: 'page',
  offset: 'offset',
};
const STARTS: Readonly<Partial<Record<StyleName, number>>> = { page: 1, offset: 0 };
const ALIASES: Readonly<Record<string, string>> = {
  marker: 'cursor:marker',
  skip: 'offset:skip',
  odata: 'next',
};

export const NO_PAGING: PagingStyle = { name: 'none', param: '', start: null, size: null };

/** How `resources.NAME.paging` is written, for messages. */
export const PAGING_SYNTAX =
  'none, link, next, cursor[:PARAM], page[:PARAM[=FIRST]] or offset[:PARAM], each with ,SIZEPARAM=SIZE behind it if needed';

/** The style that a setting names (`page:page=1,per_page=100`, `offset:skip`, `none`); null where it is none. */
export function parsePaging(setting: string): PagingStyle | null {
  const text = ALIASES[setting.trim()] ?? setting.trim();
  const match = /^(none|link|next|cursor|page|offset)(?::([^=,]+)(?:=(\d+))?)?(?:,([^=,]+)=(\d+))?$/.exec(
    text,
  );
  if (match === null) return null;
  const [, name, param, start, sizeParam, size] = match;
  const style = name as StyleName;
  return {
    name: style,
    param: param ?? PARAMS[style],
    start: start === undefined ? (STARTS[style] ?? null) : Number(start),
    size: sizeParam === undefined ? null : { param: sizeParam, value: Number(size) },
  };
}

/** The setting's writing of a style. */
export function renderPaging({ name, param }: PagingStyle): string {
  return param === '' ? name : `${name}:${param}`;
}

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
