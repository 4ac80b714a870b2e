import { describe, expect, test } from 'vitest';
import { type Answer, fetchPages, number, record, records, slice } from './support/pages.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

describe('links and queries of the first page are followed', () => {
  const COUNT = 25;

  test('offsets that start at 1', async () => {
    const fetched = await fetchPages(({ query }) => {
      const offset = number(query, 'offset', 1);
      return { items: slice(offset - 1, 10, COUNT), offset, limit: 10, total: COUNT };
    });
    expect(fetched.end).toMatchObject({ outcome: 'ok', contract: { paging: 'offset:offset', pageSize: 10 } });
    expect(fetched.records).toEqual(records(0, COUNT));
    const pages = fetched.rows.filter(({ status }) => status !== null).map(({ page }) => page);
    expect(pages).toEqual(pages.map((_, index) => index));
  });

  const PLAYERS = '/gv2/webservices/API/v1.12/Players';
  /** Reads three pages of ten, each of which says so where the next one is. */
  const threePages = async (nextOf: (query: string, host: string) => unknown, source: object = {}) => {
    await using server = await serve((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page') ?? 1);
      const next = page === 3 ? null : nextOf(`?page=${page + 1}`, `${request.headers.host}`);
      json(response, JSON.stringify({ items: records(page * 10, page * 10 + 10), links: { next } }));
    });
    const { end } = await fetchFrom(server.url, 'players', { source });
    expect(end).toMatchObject({ outcome: 'ok', items: 30 });
    return server.calls.map(({ url }) => url);
  };

  test.each(['http://', ''])('a server behind a proxy does not know its path: %j', async (scheme) => {
    const asked = await threePages((query, host) => `${scheme && scheme + host}${PLAYERS}${query}`, {
      basePath: '/proxy/gv2/webservices/API',
    });
    expect(asked).toEqual(['', '?page=2', '?page=3'].map((query) => `/proxy${PLAYERS}${query}`));
  });

  const LINKS = ['v1.12/Players', 'Players', 'API/v1.12/Players'];
  test.each(LINKS)('a link may begin at the root of the API: %s', async (link) => {
    const asked = await threePages((query) => ({ href: `${link}${query}` }));
    expect(asked).toEqual(['', '?page=2', '?page=3'].map((query) => `${PLAYERS}${query}`));
  });

  test('a query that the listing has stays on every page', async () => {
    const { urls } = await fetchPages(({ query }) => {
      const offset = number(query, 'offset', 0);
      return { items: slice(offset, 10, COUNT), offset, limit: 10, total: COUNT };
    });
    expect(urls).toEqual(['', '?offset=10', '?offset=0', '?offset=20']);
  });
});

test.each<[paging: string, body: unknown, calls?: number]>([
  // Where nothing speaks of pages, the usual ways to a second one are tried in three calls.
  ['none', records(0, 101), 4],
  ['none', { items: records(0, 3) }],
  ['none', { items: records(0, 3), total: 3 }],
  ['none', { items: records(0, 3), count: 3 }],
  ['none', { results: records(0, 3), next: null, count: 3 }],
  // A count that is the page's own length proves nothing.
  ['none', { data: records(0, 3), page: 1, pages: 1, total: 3 }, 3],
  ['none', { data: [], page: 1, pages: 0, total: 0 }],
  ['none', { data: records(0, 3), cursor: null, hasMore: false }],
  ['none', { items: records(0, 3), isTruncated: false }],
])('one page is all by %s: answer %#', async (paging, body, calls = 1) => {
  const { end, urls } = await fetchPages(() => body);
  expect(end).toMatchObject({ message: null, pages: 1, contract: { paging } });
  expect(urls).toHaveLength(calls);
});

describe('a parameter that changes how many records a page has', () => {
  /** Ten records without a page's number, 25 with one. */
  const sized =
    (count: number): Answer =>
    ({ query }) => {
      const page = number(query, 'page', 1);
      const size = query.has('page') ? 25 : 10;
      return { items: slice((page - 1) * size, size, count), page };
    };

  test.each([57, 40, 10])('%i records are whole: the first page is asked for by number', async (count) => {
    const { end } = await fetchPages(sized(count));
    expect(end).toMatchObject({ outcome: 'ok', items: count, message: null });
  });

  test('pages that say no number are whole too', async () => {
    const unsaid = { page: undefined, page_size: 10 };
    const { end } = await fetchPages((asked) => ({ ...Object(sized(40)(asked)), ...unsaid }));
    expect(end).toMatchObject({ outcome: 'ok', items: 40, message: null });
  });

  /** Eight records without a page's number, ten with one. */
  const few =
    (count: number, said: (page: number) => object): Answer =>
    ({ query }) => {
      const page = number(query, 'page', 1);
      const size = query.has('page') ? 10 : 8;
      return { items: slice((page - 1) * size, size, count), page, ...said(page) };
    };

  test.each<[string, number, Answer]>([
    ['a last page that is shorter', 11, few(11, () => ({ pages: 2 }))],
    ['a last page that is as long', 18, few(18, (page) => ({ more: page < 2 }))],
  ])('the first page is requested by its number before %s', async (_before, count, handler) => {
    expect((await fetchPages(handler)).end).toMatchObject({ outcome: 'ok', items: count, message: null });
  });
});

test('a total that full pages reach proves the end: no page behind it is requested', async () => {
  const { end, urls } = await fetchPages(({ query }) => {
    const page = number(query, 'page', 1);
    return { page, total: 20, items: slice((page - 1) * 10, 10, 20) };
  });
  expect(end).toMatchObject({ outcome: 'ok', items: 20 });
  expect(urls).toEqual(['', '?page=2', '?page=1']);
});

describe('while a listing changes', () => {
  test('a record that moves to the next page does not stop it', async () => {
    const pages = [records(0, 10), [record(9), ...records(10, 19)], [record(18), record(19)]];
    const { end } = await fetchPages(({ query }) => {
      const page = number(query, 'page', 1);
      return { items: pages[page - 1], page, pages: 3 };
    });
    expect(end).toMatchObject({ outcome: 'ok', items: 22 });
  });

  test('a total that moves is right if the rows are between', async () => {
    const { end } = await fetchPages(({ query }) => {
      const offset = number(query, 'offset', 0);
      return { items: slice(offset, 10, 15), offset, limit: 10, total: offset === 0 ? 16 : 15 };
    });
    expect(end).toMatchObject({ outcome: 'ok', items: 15 });
  });

  test('records that are named alike are no repetition', async () => {
    const alike = (from: number) =>
      Array.from({ length: 10 }, (_, index) => ({ Name: 'Screen', At: from + index }));
    const { end } = await fetchPages(({ query }) => {
      const page = number(query, 'page', 1);
      return { items: alike(page * 10), page, pages: 3 };
    });
    expect(end).toMatchObject({ outcome: 'ok', items: 30 });
  });
});
