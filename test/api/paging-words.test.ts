import { describe, expect, test } from 'vitest';
import { type Answer, type Asked, fetchPages } from './support/pages.ts';

// Words for pages that APIs use in addition to those of the simulator's profiles: 7 records, 3 on a page.
const COUNT = 7;
const SIZE = 3;
const record = (id: number) => ({ Id: id, Name: `Player ${id}` });
const from = (start: number) =>
  Array.from({ length: Math.max(0, Math.min(SIZE, COUNT - start)) }, (_, index) => record(start + index));

const at = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);
const next = (start: number) => (start + SIZE < COUNT ? start + SIZE : null);
const pageOf = (query: URLSearchParams) => Number(query.get('page') ?? 1);
const ofPage = (query: URLSearchParams) => from((pageOf(query) - 1) * SIZE);

describe('are followed', () => {
  const FOLLOWED: Readonly<Record<string, Answer>> = {
    'nextCursor is a number': ({ query }) => ({
      data: from(at(query, 'cursor')),
      nextCursor: next(at(query, 'cursor')),
    }),
    'nextMarker is a number': ({ query }) => ({
      data: from(at(query, 'marker')),
      nextMarker: next(at(query, 'marker')),
    }),
    nextOffset: ({ query }) => ({ data: from(at(query, 'offset')), nextOffset: next(at(query, 'offset')) }),
    resumptionToken: ({ query }) => ({
      data: from(at(query, 'resumptionToken')),
      resumptionToken: next(at(query, 'resumptionToken'))?.toString() ?? '',
    }),
    'has_more is 1 or 0': ({ query }) => ({
      data: from(at(query, 'cursor')),
      cursor: String(at(query, 'cursor') + SIZE),
      has_more: next(at(query, 'cursor')) === null ? 0 : 1,
    }),
    'meta.pagination as Strapi has it, by another parameter': ({ query }) => ({
      data: ofPage(query),
      meta: { pagination: { page: pageOf(query), pageSize: SIZE, pageCount: 3, total: COUNT } },
    }),
    'result_info of Cloudflare': ({ query }) => ({
      result: ofPage(query),
      success: true,
      result_info: { page: pageOf(query), per_page: SIZE, total_pages: 3, total_count: COUNT },
    }),
    'paging.next of HubSpot': ({ query }) => {
      const after = next(at(query, 'after'));
      const link = `?after=${after}`;
      return {
        results: from(at(query, 'after')),
        ...(after !== null && { paging: { next: { after: String(after), link } } }),
      };
    },
    'links.next.url': ({ query }) => ({
      data: ofPage(query),
      links: pageOf(query) < 3 ? { next: { url: `?page=${pageOf(query) + 1}` } } : {},
    }),
    'links as a list': ({ query }) => ({
      items: ofPage(query),
      links: [
        { rel: 'self', href: `?page=${pageOf(query)}` },
        ...(pageOf(query) < 3 ? [{ rel: 'next', href: `?page=${pageOf(query) + 1}` }] : []),
      ],
    }),
    'links as a list, its last address null': ({ query }) => ({
      items: ofPage(query),
      hasMore: pageOf(query) < 3,
      links: [{ rel: 'next', href: pageOf(query) < 3 ? `page?page=${pageOf(query) + 1}` : null }],
    }),
    'page numbers beside a list of links that nobody could follow': ({ query }) => ({
      items: ofPage(query),
      page: pageOf(query),
      pages: 3,
      links: [{ rel: 'next', href: 'http://internal:8080/players{?page}' }],
    }),
    'link of FHIR, below meta': ({ query }) => ({
      data: ofPage(query),
      meta: {
        link: [
          { relation: 'first', url: '?page=1' },
          { relation: pageOf(query) < 3 ? 'next' : 'last', url: `?page=${Math.min(3, pageOf(query) + 1)}` },
        ],
      },
    }),
    'X-Next-Page': ({ query, response }) => {
      response.setHeader('x-next-page', pageOf(query) < 3 ? String(pageOf(query) + 1) : '');
      return ofPage(query);
    },
    'X-WP-TotalPages': ({ query, response }) => {
      response.setHeader('x-wp-totalpages', '3');
      response.setHeader('x-wp-total', String(COUNT));
      return ofPage(query);
    },
    ...Object.fromEntries(
      ['lastPage', 'maxPage', 'page_total', 'endPage', 'pages'].map((name) => [
        `${name} alone`,
        ({ query }: Asked) => ({ data: ofPage(query), [name]: 3 }),
      ]),
    ),
    'X-Pagination of ASP.NET': ({ query, response }) => {
      const said = { CurrentPage: pageOf(query), PageSize: SIZE, TotalCount: COUNT, TotalPages: 3 };
      response.setHeader('x-pagination', JSON.stringify(said));
      return ofPage(query);
    },
  };
  test.each(Object.entries(FOLLOWED))('%s', async (_, body) => {
    const { end, records } = await fetchPages(body);
    expect(end).toMatchObject({ outcome: 'ok', message: null });
    expect(records).toEqual(Array.from({ length: COUNT }, (_, id) => record(id)));
  });

  test('a size that the server gives less of than it was asked for', async () => {
    const body = ({ query }: Asked) => ({ data: from(at(query, 'skip')).slice(0, 2) });
    const { end, records } = await fetchPages(body, { paging: 'offset:skip,top=5' });
    expect(end).toMatchObject({ outcome: 'ok' });
    expect(records).toHaveLength(COUNT);
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
    'Content-Range': header('content-range', `items 0-2/${COUNT}`),
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
    const { end } = await fetchPages(({ query }) => ({
      data: query.has('cursor') ? [] : from(0),
      cursor: 'c',
      hasMore: true,
    }));
    expect(end).toMatchObject({ outcome: 'failed' });
  });
});

test.each([
  [{ data: from(0), hasMore: 'False' }],
  [{ data: from(0), last: true, totalElements: SIZE }],
  [{ data: from(0), links: { next: null, last: '?page=1' } }],
  [{ data: from(0), meta: {}, total: { value: SIZE } }],
  [{ data: from(0), links: [{ rel: 'next', href: null }] }],
  [{ data: from(0), links: [{ rel: 'next', href: '' }] }],
  [{ data: from(0), hasMore: false, links: [{ rel: 'next', href: '?' }] }],
  [
    {
      data: from(0),
      links: [{ rel: 'self', href: '?' }, null, 'next', { rel: 'next-steps', href: '/help?page=2' }],
    },
  ],
])('%j is one page', async (body) => {
  const { end } = await fetchPages(() => body);
  expect(end).toMatchObject({ outcome: 'ok', items: SIZE, pages: 1 });
});
