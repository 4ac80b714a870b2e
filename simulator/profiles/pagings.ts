import type { JsonObject } from '../json.ts';
import type { Call } from './answer.ts';
import type { AxisValue } from './axes.ts';

/** The place of a page in its listing. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  readonly count: number;
}

export interface Paging {
  /** The page that a call requests; undefined if the dialect refuses the call. */
  asked(query: URLSearchParams, pageSize: number, count: number): Page | undefined;
  /** The members about paging, next to the records. */
  fields(page: Page, call: Call): JsonObject;
  headers?(page: Page, call: Call): Readonly<Record<string, string>>;
}

/** The greatest `limit` that a client may request. */
const LARGEST_PAGE = 1000;

export function pagingOf(kind: AxisValue<'paging'>): Paging {
  return PAGINGS[kind];
}

const page: Paging = {
  asked: byNumber('page', 'items_per_page'),
  fields: (at) => ({ total: at.count, page: pageNumber(at), pages: pageCount(at), items_per_page: at.limit }),
};

const PAGINGS: Readonly<Record<AxisValue<'paging'>, Paging>> = {
  none: {
    asked: (_, __, count) => ({ offset: 0, limit: count, count }),
    fields: () => ({}),
  },
  page,
  'page-if-asked': {
    asked: (query, pageSize, count) =>
      query.has('page') ? page.asked(query, pageSize, count) : { offset: 0, limit: count, count },
    fields: (at, call) => (call.query.has('page') ? page.fields(at, call) : {}),
  },
  'page-size': {
    asked: byNumber('page', 'pageSize'),
    fields: (page) => ({
      page: pageNumber(page),
      pageSize: page.limit,
      totalPages: pageCount(page),
      totalCount: page.count,
    }),
  },
  'limit-skip': {
    asked: bySkip,
    fields: (page) => ({ total: page.count, limit: page.limit, skip: page.offset }),
  },
  cursor: {
    asked: byToken('cursor', 'c'),
    fields: (page) => ({
      cursor: hasNext(page) ? token('c', nextOffset(page)) : null,
      hasMore: hasNext(page),
    }),
  },
  marker: {
    asked: byToken('marker', 'm'),
    fields: (page) => ({
      totalItemCount: page.count,
      isTruncated: hasNext(page),
      ...(hasNext(page) ? { nextMarker: token('m', nextOffset(page)) } : {}),
    }),
  },
  next: {
    asked: byNumber('page', 'page_size'),
    fields: (page, call) => ({
      count: page.count,
      next: hasNext(page) ? absolute(call, 'page', pageNumber(page) + 1) : null,
      previous: page.offset > 0 ? absolute(call, 'page', pageNumber(page) - 1) : null,
    }),
  },
  odata: {
    asked: byToken('$skiptoken', 's'),
    fields: (page, call): JsonObject => (hasNext(page) ? { '@odata.nextLink': odataLink(page, call) } : {}),
  },
  'link-header': {
    asked: byNumber('page', 'per_page'),
    fields: () => ({}),
    headers: (page, call): Record<string, string> => {
      if (pageCount(page) === 1) return {};
      const link = (number: number, rel: string) => `<${absolute(call, 'page', number)}>; rel="${rel}"`;
      const next = hasNext(page) ? [link(pageNumber(page) + 1, 'next')] : [];
      return { link: [link(1, 'first'), ...next, link(pageCount(page), 'last')].join(', ') };
    },
  },
};

export function hasNext(page: Page): boolean {
  return nextOffset(page) < page.count;
}

function nextOffset(page: Page): number {
  return page.offset + page.limit;
}

function pageNumber(page: Page): number {
  return Math.floor(page.offset / page.limit) + 1;
}

function pageCount(page: Page): number {
  return Math.max(1, Math.ceil(page.count / page.limit));
}

function byNumber(numberKey: string, sizeKey: string): Paging['asked'] {
  return (query, pageSize, count) => {
    const number = wholeNumber(query.get(numberKey), 1);
    const limit = wholeNumber(query.get(sizeKey), pageSize);
    if (number === undefined || limit === undefined || number < 1 || limit < 1) return undefined;
    const size = Math.min(limit, LARGEST_PAGE);
    return { offset: (number - 1) * size, limit: size, count };
  };
}

function bySkip(query: URLSearchParams, pageSize: number, count: number): Page | undefined {
  const offset = wholeNumber(query.get('skip'), 0);
  const limit = wholeNumber(query.get('limit'), pageSize);
  if (offset === undefined || limit === undefined || limit < 1) return undefined;
  return { offset, limit: Math.min(limit, LARGEST_PAGE), count };
}

function byToken(key: string, letter: string): Paging['asked'] {
  return (query, pageSize, count) => {
    const text = query.get(key);
    if (text === null) return { offset: 0, limit: pageSize, count };
    const offset = Number(/^.(\d+)$/.exec(Buffer.from(text, 'base64url').toString())?.[1]);
    return token(letter, offset) === text ? { offset, limit: pageSize, count } : undefined;
  };
}

/** A token from which a client cannot guess the next one. */
function token(letter: string, offset: number): string {
  return Buffer.from(`${letter}${offset}`).toString('base64url');
}

/** Players and groups link absolutely, licences and storages relative to their own path, the others from the root. */
function odataLink(page: Page, call: Call): string {
  const link = absolute(call, '$skiptoken', token('s', nextOffset(page)));
  if (call.absoluteLinks) return link;
  const path = link.slice(call.origin.length);
  const name = call.path.slice(call.path.lastIndexOf('/') + 1);
  if (name === 'Players' || name === 'AppGroups') return link;
  return name === 'Licenses' || name === 'backup' ? `${name}?${path.split('?')[1]}` : path;
}

function absolute(call: Call, key: string, value: string | number): string {
  const query = new URLSearchParams(call.query);
  query.set(key, String(value));
  return `${call.origin}${call.path}?${query}`;
}

function wholeNumber(text: string | null, fallback: number): number | undefined {
  if (text === null) return fallback;
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
