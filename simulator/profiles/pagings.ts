import type { JsonObject } from '../json.ts';
import type { Call } from './answer.ts';
import type { AxisValue } from './axes.ts';

/** The place of a page in its listing. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  readonly count: number;
  /** From 1. */
  readonly number: number;
  readonly pages: number;
  /** The offset of the next page. */
  readonly next: number | undefined;
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

export function pageAt(offset: number, limit: number, count: number): Page {
  const next = offset + limit < count ? offset + limit : undefined;
  const pages = Math.max(1, Math.ceil(count / limit));
  return { offset, limit, count, number: Math.floor(offset / limit) + 1, pages, next };
}

const none: Paging = { asked: (_, __, count) => pageAt(0, Math.max(1, count), count), fields: () => ({}) };

const page: Paging = {
  asked: byNumber('page', 'items_per_page'),
  fields: ({ count, number, pages, limit }) => ({ total: count, page: number, pages, items_per_page: limit }),
};

export const PAGINGS: Readonly<Record<AxisValue<'paging'>, Paging>> = {
  none,
  page,
  'page-if-asked': {
    asked: (query, ...size) => (query.has('page') ? page : none).asked(query, ...size),
    fields: (at, call) => (call.query.has('page') ? page : none).fields(at, call),
  },
  'page-size': {
    asked: byNumber('page', 'pageSize'),
    fields: ({ number, limit, pages, count }) => ({
      ...{ page: number, pageSize: limit, totalPages: pages, totalCount: count },
    }),
  },
  'limit-skip': {
    asked: bySkip,
    fields: ({ count, limit, offset }) => ({ total: count, limit, skip: offset }),
  },
  cursor: {
    asked: byToken('cursor', 'c'),
    fields: ({ next }) => ({
      cursor: next === undefined ? null : token('c', next),
      hasMore: next !== undefined,
    }),
  },
  marker: {
    asked: byToken('marker', 'm'),
    fields: ({ count, next }) => ({
      totalItemCount: count,
      isTruncated: next !== undefined,
      ...(next !== undefined && { nextMarker: token('m', next) }),
    }),
  },
  next: {
    asked: byNumber('page', 'page_size'),
    fields: ({ count, next, number, offset }, call) => ({
      count,
      next: next === undefined ? null : absolute(call, 'page', number + 1),
      previous: offset > 0 ? absolute(call, 'page', number - 1) : null,
    }),
  },
  odata: {
    asked: byToken('$skiptoken', 's'),
    fields: ({ next }, call): JsonObject =>
      next === undefined ? {} : { '@odata.nextLink': odataLink(next, call) },
  },
  'link-header': {
    asked: byNumber('page', 'per_page'),
    fields: () => ({}),
    headers: ({ pages, next, number }, call): Record<string, string> => {
      if (pages === 1) return {};
      const link = (to: number, rel: string) => `<${absolute(call, 'page', to)}>; rel="${rel}"`;
      const onwards = next === undefined ? [] : [link(number + 1, 'next')];
      return { link: [link(1, 'first'), ...onwards, link(pages, 'last')].join(', ') };
    },
  },
};

function byNumber(numberKey: string, sizeKey: string): Paging['asked'] {
  return (query, pageSize, count) => {
    const number = wholeNumber(query.get(numberKey), 1);
    const limit = wholeNumber(query.get(sizeKey), pageSize);
    if (number === undefined || limit === undefined || number < 1 || limit < 1) return undefined;
    const size = Math.min(limit, LARGEST_PAGE);
    return pageAt((number - 1) * size, size, count);
  };
}

function bySkip(query: URLSearchParams, pageSize: number, count: number): Page | undefined {
  const offset = wholeNumber(query.get('skip'), 0);
  const limit = wholeNumber(query.get('limit'), pageSize);
  if (offset === undefined || limit === undefined || limit < 1) return undefined;
  return pageAt(offset, Math.min(limit, LARGEST_PAGE), count);
}

function byToken(key: string, letter: string): Paging['asked'] {
  return (query, pageSize, count) => {
    const text = query.get(key);
    if (text === null) return pageAt(0, pageSize, count);
    const offset = Number(/^.(\d+)$/.exec(Buffer.from(text, 'base64url').toString())?.[1]);
    return token(letter, offset) === text ? pageAt(offset, pageSize, count) : undefined;
  };
}

/** A token from which a client cannot guess the next one. */
export function token(letter: string, offset: number): string {
  return Buffer.from(`${letter}${offset}`).toString('base64url');
}

/** Players and groups link absolutely, licences and storages relative to their own path, the others from the root. */
function odataLink(next: number, call: Call): string {
  const link = absolute(call, '$skiptoken', token('s', next));
  const name = call.path.slice(call.path.lastIndexOf('/') + 1);
  if (call.absoluteLinks || name === 'Players' || name === 'AppGroups') return link;
  const path = link.slice(call.origin.length);
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
