import { describe, expect, test } from 'vitest';
import {
  ALL,
  byPage,
  byStart,
  COUNT,
  from,
  more,
  SIZE,
  after as tokenBehind,
} from './support/named-records.ts';
import { type Answer, type Asked, fetchPages } from './support/pages.ts';

// Words for pages that APIs use in addition to those of the simulator's profiles.
/** The address of the page after one. */
const to = (page: number) => `?page=${page + 2}`;
const WHOLE = from(0, 3);
const COUNTS = ['lastPage', 'maxPage', 'page_total', 'endPage', 'pages'];

describe('are followed', () => {
  const FOLLOWED: Readonly<Record<string, Answer>> = {
    'nextCursor is a number': byStart('cursor', (nextCursor) => ({ nextCursor })),
    nextOffset: byStart('offset', (nextOffset) => ({ nextOffset })),
    'has_more is 1 or 0': byStart('cursor', (next, start) => {
      return { cursor: String(start + SIZE), has_more: next === null ? 0 : 1 };
    }),
    'paging.next of HubSpot': byStart(
      'after',
      (next) => (next === null ? {} : { paging: { next: { after: String(next), link: `?after=${next}` } } }),
      'results',
    ),
    'links as a list': byPage((page) => ({
      links: [{ rel: 'self', href: to(page - 1) }, ...(more(page) ? [{ rel: 'next', href: to(page) }] : [])],
    })),
    'links as a list, its last address null': byPage((page) => ({
      hasMore: more(page),
      links: [{ rel: 'next', href: more(page) ? `page${to(page)}` : null }],
    })),
    'link of FHIR, below meta': byPage((page) => ({
      meta: {
        link: [
          { relation: 'first', url: '?page=1' },
          more(page) ? { relation: 'next', url: to(page) } : { relation: 'last', url: '?page=3' },
        ],
      },
    })),
    ...Object.fromEntries(COUNTS.map((name) => [`${name} alone`, byPage(() => ({ [name]: 3 }))])),
  };
  test.each(Object.entries(FOLLOWED))('%s', async (_, body) => {
    const { end, records } = await fetchPages(body);
    expect(end).toMatchObject({ outcome: 'ok', message: null });
    expect(records).toEqual(ALL);
  });

  test('a size that the server gives less of than it was asked for', async () => {
    const answer = byStart('skip', () => ({}));
    const { end, records } = await fetchPages(answer, { paging: 'offset:skip,top=25' });
    expect(end).toMatchObject({ outcome: 'ok' });
    expect(records).toEqual(ALL);
  });
});

describe('are an error where they say that there is more, and not how to ask for it', () => {
  const header =
    (name: string, value: string) =>
    ({ response }: Asked) => {
      response.setHeader(name, value);
      return from(0);
    };
  const UNPROVEN: Readonly<Record<string, Answer>> = {
    total: () => ({ items: from(0), total: COUNT }),
    'hasMore: true': () => ({ items: from(0), hasMore: true }),
    'has_more: 1': () => ({ data: from(0), has_more: 1 }),
    'hasMore: "True"': () => ({ data: from(0), hasMore: 'True' }),
    'next: true': () => ({ data: from(0), next: true }),
    'a link without address': () => ({ data: from(0), links: [{ rel: 'next', method: 'GET' }] }),
    'isLast: false': () => ({ data: from(0), isLast: false }),
    'done: false': () => ({ records: from(0), done: false, totalSize: COUNT }),
    recordsTotal: () => ({ data: from(0), recordsTotal: COUNT }),
    found: () => ({ data: from(0), found: COUNT }),
    totalHits: () => ({ data: from(0), totalHits: COUNT }),
    'total.value': () => ({ data: from(0), total: { value: COUNT, relation: 'eq' } }),
    'X-Total-Count': header('x-total-count', String(COUNT)),
    'X-WP-Total': header('x-wp-total', String(COUNT)),
    'Content-Range': header('content-range', `items 0-9/${COUNT}`),
  };
  test.each(Object.entries(UNPROVEN))('%s', async (_, body) => {
    const { end } = await fetchPages(body);
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
    expect(end.message).toMatch(/set resources\.players\.paging/i);
  });

  test('a token that is an object is a doubt', async () => {
    const { end } = await fetchPages(() => ({ items: from(0), LastEvaluatedKey: { Id: { N: '2' } } }));
    expect(end).toMatchObject({ outcome: 'ok', errorCode: 'PAGING_UNPROVEN' });
  });

  test('a token that repeats behind an empty page', async () => {
    const more = { cursor: 'c', hasMore: true };
    const { end } = await fetchPages(({ query }) => ({ data: query.has('cursor') ? [] : from(0), ...more }));
    expect(end).toMatchObject({ outcome: 'failed' });
  });
});

describe('a token leads on by a parameter with a word of its name, in five calls at most', () => {
  const start = ({ query }: Asked, param: string) => Number((query.get(param) ?? 'k0').slice(1));

  test.each([
    ['x-ms-continuation', 'x-ms-continuation'],
    ['x-ms-continuation', 'continuation'],
    ['nextPageToken', 'token'],
    ['continuationToken', 'token'],
    ['bookmark', 'cursor'],
    ['nextMarker', 'token'],
    ['LastEvaluatedKey', 'ExclusiveStartKey'],
  ])('the member %s as %s', async (name, param) => {
    const { end, records, urls } = await fetchPages((asked) => {
      const at = start(asked, param);
      return { items: from(at), ...(tokenBehind(at) !== null && { [name]: tokenBehind(at) }) };
    });
    expect(end).toMatchObject({ outcome: 'ok', message: null });
    expect(records).toEqual(ALL);
    expect(urls.length).toBeLessThanOrEqual(7);
  });

  test.each([
    ...['token', 'pageToken', 'nextPageToken', 'x-nextpagetoken'].map((p) => ['X-nextPageToken', p]),
    ...['nextToken', 'next_token', 'token'].flatMap((p) => [
      ['X-Next-Token', p],
      ['X-nextToken', p],
    ]),
    ['X-Next-Page-Token', 'next_page_token'],
    ['X-MS-ContinuationToken', 'continuationToken'],
  ])('the header %s as %s', async (name = '', param = '') => {
    const { end, records } = await fetchPages((asked) => {
      const at = start(asked, param);
      if (tokenBehind(at) !== null) asked.response.setHeader(name, tokenBehind(at) ?? '');
      return { items: from(at) };
    });
    expect(end).toMatchObject({ outcome: 'ok', message: null });
    expect(records).toEqual(ALL);
  });
});

test.each([
  [{ hasMore: 'False' }],
  [{ last: true, totalElements: 3 }],
  [{ links: { next: null, last: '?page=1' } }],
  [{ meta: {}, total: { value: 3 } }],
  [{ links: [{ rel: 'next', href: null }] }],
  [{ links: [{ rel: 'next', href: '' }] }],
  [{ hasMore: false, links: [{ rel: 'next', href: '?' }] }],
  [{ links: [{ rel: 'self', href: '?' }, null, 'next', { rel: 'next-steps', href: '/help?page=2' }] }],
])('%j beside three records is one page', async (says) => {
  const { end } = await fetchPages(() => ({ data: WHOLE, ...says }));
  expect(end).toMatchObject({ outcome: 'ok', items: 3, pages: 1 });
});

test.each([
  [{ next_token: 'x', totalCount: 0 }],
  [{ nextCursor: 'x', total: '0', hasMore: false }],
  [{ next: '?page=2', totalCount: 0 }],
])('%j beside no record is all: the total says so, and no further page is asked for', async (says) => {
  const { end, urls } = await fetchPages(() => ({ ...says, items: [] }));
  expect(end).toMatchObject({ outcome: 'empty', message: null, items: 0, pages: 1 });
  expect(urls).toHaveLength(1);
});

test.each([
  [{ next_token: 'x' }],
  [{ next_token: 'x', total: 0, hasMore: true }],
  [{ next_token: 'x', total: 7 }],
])('%j beside no record is not the end', async (says) => {
  const { end } = await fetchPages(() => ({ ...says, items: [] }));
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
});
