import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Contract } from '#lib/api/contract/contract.ts';
import { parsePaging, renderPaging } from '#lib/config/paging-style.ts';
import { type Fetched, fetchFrom, json, serve } from './support/serve.ts';

const record = (id: number) => ({ Id: id, Name: `Player ${id}`, LastAccess: '2026-11-21T03:00:00Z' });
const records = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => record(from + index));

type Handler = (query: URLSearchParams, request: IncomingMessage, response: ServerResponse) => unknown;

interface Asked {
  readonly paging?: string;
  readonly lock?: Contract;
  readonly resource?: 'players' | 'screens';
}

/** Fetches from a server whose answer is what the handler gives; it may write headers. */
async function fetchPages(
  handler: Handler,
  { paging, lock, resource = 'players' }: Asked = {},
): Promise<Fetched & { urls: readonly string[] }> {
  await using server = await serve((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const body = handler(searchParams, request, response);
    if (!response.headersSent) json(response, JSON.stringify(body));
  });
  const resources = paging === undefined ? {} : { [resource]: { paging, columns: {}, drop: [], mask: [] } };
  const fetched = await fetchFrom(server.url, resource, {
    source: { resources },
    ...(lock && { contract: lock }),
  });
  return {
    ...fetched,
    urls: server.calls.map(({ url }) => decodeURIComponent(url?.split('Players')[1] ?? '')),
  };
}

/** A page of `size` from `from` on, of `count` records in all. */
const slice = (from: number, size: number, count: number) => records(from, Math.min(from + size, count));
const number = (query: URLSearchParams, key: string, fallback: number) => Number(query.get(key) ?? fallback);

describe('links and queries of the first page are followed', () => {
  const COUNT = 25;

  test('offsets that start at 1', async () => {
    const fetched = await fetchPages((query) => {
      const offset = number(query, 'offset', 1);
      return { items: slice(offset - 1, 10, COUNT), offset, limit: 10, total: COUNT };
    });
    expect(fetched.end).toMatchObject({ outcome: 'ok', contract: { paging: 'offset:offset', pageSize: 10 } });
    expect(fetched.records).toEqual(records(0, COUNT));
    const pages = fetched.rows.filter(({ status }) => status !== null).map(({ page }) => page);
    expect(pages).toEqual(pages.map((_, index) => index));
  });

  test.each(['absolute', 'relative'])('a server behind a proxy does not know its path: %s', async (form) => {
    const base = '/proxy/gv2/webservices/API';
    const inner = '/gv2/webservices/API/v1.12/Players';
    await using server = await serve((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page') ?? 1);
      const origin = form === 'absolute' ? `http://${request.headers.host}` : '';
      const next = page === 3 ? null : `${origin}${inner}?page=${page + 1}`;
      json(response, JSON.stringify({ items: records(page * 10, page * 10 + 10), next }));
    });
    const fetched = await fetchFrom(server.url, 'players', { source: { basePath: base } });
    expect(fetched.end).toMatchObject({ outcome: 'ok', items: 30 });
    const asked = `/proxy${inner}`;
    expect(server.calls.map(({ url }) => url)).toEqual([asked, `${asked}?page=2`, `${asked}?page=3`]);
  });

  test.each(['v1.12/Players', 'Players', 'API/v1.12/Players'])(
    'a link may begin at the root of the API: %s',
    async (link) => {
      const path = '/gv2/webservices/API/v1.12/Players';
      await using server = await serve((request, response) => {
        const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page') ?? 1);
        const next = page === 3 ? null : { href: `${link}?page=${page + 1}` };
        json(response, JSON.stringify({ items: records(page * 10, page * 10 + 10), links: { next } }));
      });
      const fetched = await fetchFrom(server.url, 'players');
      expect(fetched.end).toMatchObject({ outcome: 'ok', items: 30 });
      expect(server.calls.map(({ url }) => url)).toEqual([path, `${path}?page=2`, `${path}?page=3`]);
    },
  );

  test('a query that the listing has stays on every page', async () => {
    const { urls } = await fetchPages((query) => ({
      items: slice(number(query, 'offset', 0), 10, COUNT),
      offset: number(query, 'offset', 0),
      limit: 10,
      total: COUNT,
    }));
    expect(urls).toEqual(['', '?offset=10', '?offset=0', '?offset=20']);
  });
});

describe('one page is all', () => {
  const BODIES: ReadonlyArray<readonly [body: unknown, paging: string, calls?: number]> = [
    // Where nothing speaks of pages, the usual ways to a second one are tried in three calls.
    [records(0, 101), 'none', 4],
    [{ items: records(0, 3) }, 'none'],
    [{ items: records(0, 3), total: 3 }, 'none'],
    [{ items: records(0, 3), count: 3 }, 'none'],
    [{ results: records(0, 3), next: null, count: 3 }, 'next'],
    // A count that is the page's own length proves nothing.
    [{ data: records(0, 3), page: 1, pages: 1, total: 3 }, 'none', 5],
    [{ data: [], page: 1, pages: 0, total: 0 }, 'page:page'],
    [{ data: records(0, 3), cursor: null, hasMore: false }, 'cursor:cursor'],
    [{ items: records(0, 3), isTruncated: false }, 'none'],
  ];
  for (const [body, paging, calls = 1] of BODIES) {
    test(JSON.stringify(body).slice(0, 60) + paging, async () => {
      const { end, urls } = await fetchPages(() => body);
      expect(end).toMatchObject({ message: null, pages: 1, contract: { paging } });
      expect(urls).toHaveLength(calls);
    });
  }
});

describe('not proven: failed, with the setting to write', () => {
  const CASES: Readonly<Record<string, readonly [code: string, handler: Handler]>> = {
    'more rows are declared than came': ['PAGING_UNPROVEN', () => ({ items: records(0, 10), total: 25 })],
    'more is promised without a way to it': [
      'PAGING_UNPROVEN',
      () => ({ items: records(0, 10), hasMore: true }),
    ],
    'X-Total-Count says more than came': [
      'PAGING_UNPROVEN',
      (_query, _request, response) => {
        response.setHeader('x-total-count', '25');
        return records(0, 10);
      },
    ],
    'the page parameter is ignored': [
      'PAGING_UNPROVEN',
      () => ({ items: records(0, 10), page: 1, pages: 3 }),
    ],
    'the cursor parameter is ignored, though values differ': [
      'PAGING_UNPROVEN',
      () => ({
        items: records(0, 10).map((each) => ({ ...each, LastAccess: Math.random() })),
        nextCursor: Math.random().toString(),
      }),
    ],
    'a token repeats': [
      'PAGING_LOOP',
      (query) => ({
        items: records(number(query, 'cursor', 0), number(query, 'cursor', 0) + 10),
        cursor: '7',
      }),
    ],
    'a next link leads to a page that was read': [
      'PAGING_LOOP',
      (query) => ({ items: query.has('a') ? records(10, 20) : records(0, 10), next: '?a=1' }),
    ],
    'pages begin again': [
      'PAGING_LOOP',
      (query) => {
        const page = number(query, 'cursor', 0);
        return { items: records((page % 3) * 10, (page % 3) * 10 + 10), cursor: String(page + 1) };
      },
    ],
    'the total is too high': [
      'TOTAL_MISMATCH',
      (query) => ({
        items: slice(number(query, 'offset', 0), 10, 25),
        offset: number(query, 'offset', 0),
        limit: 10,
        total: 30,
      }),
    ],
    'the total is too low': [
      'TOTAL_MISMATCH',
      (query) => ({
        results: slice(number(query, 'p', 0), 10, 20),
        total: 15,
        next: query.has('p') ? null : '?p=10',
      }),
    ],
    'the next link leads to another origin': [
      'PAGING_OTHER_ORIGIN',
      () => ({ items: records(0, 10), next: 'https://elsewhere.example/x?page=2' }),
    ],
    'the next link is no address': [
      'PAGING_UNPROVEN',
      () => ({ items: records(0, 10), next: 'https://:/x?page=2' }),
    ],
  };
  for (const [name, [code, handler]] of Object.entries(CASES)) {
    test(name, async () => {
      const { end, rows } = await fetchPages(handler);
      expect(end).toMatchObject({ outcome: 'failed', errorCode: code });
      expect(end.message).toContain('Set resources.players.paging');
      expect(rows.at(-1)).toMatchObject({ outcome: 'failed', errorCode: code, body: null, items: 0 });
      expect(rows.slice(0, -1).every(({ outcome }) => outcome === null)).toBe(true);
    });
  }

  test('the question about a link to another origin has each way out: its query, another style, another address', async () => {
    const { end } = await fetchPages(() => ({
      items: records(0, 10),
      next: 'https://elsewhere.example/x?page=2',
    }));
    const setting = 'resources.players.paging';
    expect(end.question?.cures).toMatchObject([
      { setting, choices: ['next@next'] },
      { setting, open: expect.stringContaining('page:PARAM') },
      { setting: 'baseUrl', open: 'where the link leads' },
    ]);
  });

  test.each([400, 404, 410])(
    'a second page that is refused with %i asks how pages are asked for',
    async (status) => {
      const { end, rows } = await fetchPages((query, _request, response) => {
        if (query.has('p')) response.writeHead(status).end();
        return { results: records(0, 10), next: '?p=2' };
      });
      expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN', items: 10, pages: 1 });
      expect(end.message).toMatch(/^The server refuses page 2, which was requested by next \(HTTP 4/);
      // What came before is kept.
      expect(rows).toMatchObject([
        { page: 0, outcome: null, items: 10, status: 200 },
        { page: 1, outcome: 'failed', items: 0, status, body: null },
      ]);
    },
  );

  test.each([404, 410])(
    'a third page that is missing (%i) is not "removed after it was listed"',
    async (status) => {
      const { end } = await fetchPages((query, _request, response) => {
        const page = Number(query.get('p') ?? 1);
        if (page === 3) response.writeHead(status).end();
        return { results: records(page * 10, page * 10 + 10), next: `?p=${page + 1}` };
      });
      expect(end).toMatchObject({ outcome: 'failed', errorCode: 'LISTING_UNSTABLE', items: 20, pages: 2 });
      expect(end.message).toMatch(/^The server refuses page 3, which was requested by next/);
      expect(end.message).not.toContain('removed');
    },
  );
});

describe('a parameter that changes how many records a page has', () => {
  /** Ten records without a page's number, 25 with one. */
  const sized =
    (count: number, more: object = {}): Handler =>
    (query) => {
      const page = number(query, 'page', 1);
      const size = query.has('page') ? 25 : 10;
      return { items: slice((page - 1) * size, size, count), page, ...more };
    };

  test.each([57, 40])('%i records are whole: the first page is requested by its number', async (count) => {
    expect((await fetchPages(sized(count))).end).toMatchObject({
      outcome: 'ok',
      items: count,
      message: null,
    });
  });

  test('pages that say no number are whole too', async () => {
    const { end } = await fetchPages((query) => ({
      ...Object(sized(40)(query, null as never, null as never)),
      page: undefined,
      page_size: 10,
    }));
    expect(end).toMatchObject({ outcome: 'ok', items: 40, message: null });
  });

  /** Eight records without a page's number, ten with one. */
  const few =
    (count: number, said: (page: number) => object): Handler =>
    (query) => {
      const page = number(query, 'page', 1);
      const size = query.has('page') ? 10 : 8;
      return { items: slice((page - 1) * size, size, count), page, ...said(page) };
    };

  test.each<[string, number, Handler]>([
    ['a last page that is shorter', 11, few(11, () => ({ pages: 2 }))],
    ['a last page that is as long', 18, few(18, (page) => ({ more: page < 2 }))],
  ])('the first page is requested by its number before %s', async (_before, count, handler) => {
    expect((await fetchPages(handler)).end).toMatchObject({ outcome: 'ok', items: count, message: null });
  });

  test('ten records are all', async () => {
    expect((await fetchPages(sized(10))).end).toMatchObject({
      outcome: 'ok',
      items: 10,
    });
  });
});

describe('a total that full pages reach', () => {
  const paged =
    (count: number, total: number, beyond: (response: ServerResponse) => void = () => {}): Handler =>
    (query, _request, response) => {
      const page = number(query, 'page', 1);
      if (page > 1 && (page - 1) * 10 >= count) beyond(response);
      return { page, total, items: slice((page - 1) * 10, 10, count) };
    };

  test.each([400, 404, 500])('is right where the page behind it is refused with %i', async (status) => {
    const { end } = await fetchPages(paged(20, 20, (response) => response.writeHead(status).end()));
    expect(end).toMatchObject({ outcome: 'ok', items: 20 });
  });

  test('proves the end: no page behind it is requested', async () => {
    const { end, urls } = await fetchPages(paged(20, 20));
    expect(end).toMatchObject({ outcome: 'ok', items: 20 });
    expect(urls).toEqual(['', '?page=2', '?page=1']);
  });
});

describe('while a listing changes', () => {
  test('a record that moves to the next page does not stop it', async () => {
    const pages = [records(0, 10), [record(9), ...records(10, 19)], [record(18), record(19)]];
    const { end } = await fetchPages((query) => {
      const page = number(query, 'page', 1);
      return { items: pages[page - 1], page, pages: 3 };
    });
    expect(end).toMatchObject({ outcome: 'ok', items: 22 });
  });

  test('a total that moves is right if the rows are between', async () => {
    const { end } = await fetchPages((query) => {
      const offset = number(query, 'offset', 0);
      return { items: slice(offset, 10, 15), offset, limit: 10, total: offset === 0 ? 16 : 15 };
    });
    expect(end).toMatchObject({ outcome: 'ok', items: 15 });
  });

  test('records that are named alike are no repetition', async () => {
    const alike = (from: number) =>
      Array.from({ length: 10 }, (_, index) => ({ Name: 'Screen', At: from + index }));
    const { end } = await fetchPages((query) => {
      const page = number(query, 'page', 1);
      return { items: alike(page * 10), page, pages: 3 };
    });
    expect(end).toMatchObject({ outcome: 'ok', items: 30 });
  });
});

describe('the setting wins and is validated', () => {
  const silent: Handler = (query) => slice(number(query, 'page', 1) * 10 - 10, 10, 25);

  test('page by page though nothing says so', async () => {
    const { end, urls } = await fetchPages(silent, { paging: 'page' });
    expect(end).toMatchObject({ outcome: 'ok', items: 25, contract: { paging: 'page:page' } });
    // The second page shows that the parameter is read, the first by its number that pages are counted from 1.
    expect(urls).toEqual(['', '?page=2', '?page=1', '?page=3', '?page=4']);
  });

  test('with a size', async () => {
    const { end, urls } = await fetchPages(
      (query) => slice(number(query, 'skip', 0), number(query, 'take', 10), 25),
      { paging: 'offset:skip,take=20' },
    );
    expect(end).toMatchObject({ outcome: 'ok', items: 25 });
    expect(urls).toEqual(['?skip=0&take=20', '?skip=20&take=20', '?skip=25&take=20']);
  });

  test('a parameter that is ignored fails', async () => {
    const { end } = await fetchPages(() => records(0, 10), { paging: 'page:seite' });
    expect(end).toMatchObject({
      outcome: 'failed',
      errorCode: 'PAGING_UNPROVEN',
      message: expect.stringContaining('ignores the parameter seite'),
    });
  });

  test('none means that one page is all, whatever is declared', async () => {
    const { end, urls } = await fetchPages(() => ({ items: records(0, 10), total: 25, next: '?page=2' }), {
      paging: 'none',
    });
    expect(end).toMatchObject({ outcome: 'ok', items: 10, contract: { paging: 'none' } });
    expect(urls).toHaveLength(1);
  });

  test('styles are written and read in one way', () => {
    const styles = ['none', 'link', 'next', 'cursor:after', 'page:page', 'offset:skip'];
    expect(
      styles.map((text) => {
        const style = parsePaging(text);
        return style === null ? null : renderPaging(style);
      }),
    ).toEqual(styles);
    expect(parsePaging('marker')).toMatchObject({ name: 'cursor', param: 'marker' });
    expect(parsePaging('page:p=0,size=500')).toMatchObject({
      param: 'p',
      start: 0,
      size: { param: 'size', value: 500 },
    });
    for (const text of ['', 'pages', 'page:', 'page=1', 'offset:a,b', 'page:a,b=c'])
      expect(parsePaging(text)).toBeNull();
  });
});

describe('a lock', () => {
  const lock: Contract = { envelope: '$', paging: 'link', pageSize: 10 };

  test('with pages: a listing as long as a page and without a sign of more has changed', async () => {
    const { end } = await fetchPages(() => records(0, 10), { lock });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'SHAPE_CHANGED' });
  });

  test('with pages: a shorter or longer one is a listing of one page', async () => {
    expect((await fetchPages(() => records(0, 9), { lock })).end).toMatchObject({ outcome: 'ok' });
    expect((await fetchPages(() => records(0, 11), { lock })).end).toMatchObject({ outcome: 'ok' });
  });
});
