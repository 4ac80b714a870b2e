import { describe, expect, test } from 'vitest';
import { type Answer, fetchPages, number, records, slice } from './support/pages.ts';

const TEN = records(0, 10);
const ELSEWHERE = 'https://elsewhere.example/x?page=2';

describe('not proven: failed, with the setting to write', () => {
  const CASES: Readonly<Record<string, readonly [code: string, handler: Answer]>> = {
    'the page parameter is ignored': ['PAGING_UNPROVEN', () => ({ items: TEN, page: 1, pages: 3 })],
    'the cursor parameter is ignored, though values differ': [
      'PAGING_UNPROVEN',
      () => ({ items: TEN.map((each) => ({ ...each, At: Math.random() })), nextCursor: `${Math.random()}` }),
    ],
    'a token repeats': [
      'PAGING_LOOP',
      ({ query }) => ({ items: slice(number(query, 'cursor', 0), 10, 99), cursor: '7' }),
    ],
    'a next link leads to a page that was read': [
      'PAGING_LOOP',
      ({ query }) => ({ items: query.has('a') ? records(10, 20) : records(0, 10), next: '?a=1' }),
    ],
    'pages begin again': [
      'PAGING_LOOP',
      ({ query }) => {
        const page = number(query, 'cursor', 0);
        return { items: records((page % 3) * 10, (page % 3) * 10 + 10), cursor: String(page + 1) };
      },
    ],
    'the total is too high': [
      'TOTAL_MISMATCH',
      ({ query }) => {
        const offset = number(query, 'offset', 0);
        return { items: slice(offset, 10, 25), offset, limit: 10, total: 30 };
      },
    ],
    'the total is too low': [
      'TOTAL_MISMATCH',
      ({ query }) => {
        const next = query.has('p') ? null : '?p=10';
        return { results: slice(number(query, 'p', 0), 10, 20), total: 15, next };
      },
    ],
    'the next link leads to another origin': ['PAGING_OTHER_ORIGIN', () => ({ items: TEN, next: ELSEWHERE })],
    'a link of another name has the path of the call at another origin': [
      'PAGING_OTHER_ORIGIN',
      () => ({ items: TEN, loadMore: 'https://elsewhere.example/v2/players?page=2' }),
    ],
    'the next link is no address': ['PAGING_UNPROVEN', () => ({ items: TEN, next: 'https://:/x?page=2' })],
  };
  test.each(Object.entries(CASES))('%s', async (_, [code, handler]) => {
    const { end, rows } = await fetchPages(handler);
    expect(end).toMatchObject({ outcome: 'failed', errorCode: code });
    expect(end.message).toContain('Set resources.players.paging');
    expect(rows.at(-1)).toMatchObject({ outcome: 'failed', errorCode: code, body: null, items: 0 });
    expect(rows.slice(0, -1).every(({ outcome }) => outcome === null)).toBe(true);
  });

  const DOCS = ['https://docs.example/players', 'https://docs.example/api?topic=players'];
  test.each(DOCS)('an address of a documentation is no next page (%s)', async (more_info) => {
    const { end } = await fetchPages(() => ({ items: records(0, 7), more_info, nextSteps: more_info }));
    expect(end).toMatchObject({ outcome: 'ok', message: null, notes: [] });
  });

  test('the question about a link to another origin has each way out: its query, another style, another address', async () => {
    const { end } = await fetchPages(() => ({ items: TEN, next: ELSEWHERE }));
    const setting = 'resources.players.paging';
    expect(end.question?.cures).toMatchObject([
      { setting, choices: ['next@next'] },
      { setting, open: expect.stringContaining('page:PARAM') },
      { setting: 'baseUrl', open: 'where the link leads' },
    ]);
  });

  test.each([400, 404])('a second page that is refused with %i asks how to ask for it', async (status) => {
    const { end, rows } = await fetchPages(({ query, response }) => {
      if (query.has('p')) response.writeHead(status).end();
      return { results: TEN, next: '?p=2' };
    });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN', items: 10, pages: 1 });
    expect(end.message).toMatch(/^The server refuses page 2, which was requested by next \(HTTP 4/);
    // What came before is kept.
    expect(rows).toMatchObject([
      { page: 0, outcome: null, items: 10, status: 200 },
      { page: 1, outcome: 'failed', items: 0, status, body: null },
    ]);
  });

  test('a third page that is missing is not "removed after it was listed"', async () => {
    const { end } = await fetchPages(({ query, response }) => {
      const page = number(query, 'p', 1);
      if (page === 3) response.writeHead(404).end();
      return { results: records(page * 10, page * 10 + 10), total: 30, next: `?p=${page + 1}` };
    });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'LISTING_UNSTABLE', items: 20, pages: 2 });
    expect(end.message).toMatch(/^The server refuses page 3, which was requested by next/);
    expect(end.message).not.toContain('removed');
  });
});

test('HTTP 206 without the number of all records says that there are more', async () => {
  const part =
    (says: object = {}): Answer =>
    ({ response }) => {
      response.statusCode = 206;
      return { items: records(0, 20), ...says };
    };
  const { end } = await fetchPages(part());
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  expect(end.message).toContain('ignore to ["HTTP 206"]');
  const whole = { outcome: 'ok', items: 20, message: null };
  expect((await fetchPages(part(), { ignore: ['HTTP 206'] })).end).toMatchObject(whole);
  expect((await fetchPages(part({ total: 20 }))).end).toMatchObject(whole);
});

describe('a server whose last page has a next page', () => {
  /** Pages of 10 of 27 records; `next` is always there. */
  const always =
    (behind: number | null, says: object = {}, gap: number | null = null): Answer =>
    ({ query, response }) => {
      const page = number(query, 'p', 1);
      if (behind !== null && (page > 3 || page === gap)) response.writeHead(behind).end();
      const items = page === gap ? [] : slice((page - 1) * 10, 10, 27);
      return { items, next: `/gv2/webservices/API/v1.12/Players?p=${page + 1}`, ...says };
    };
  const whole = { outcome: 'ok', items: 27, message: null };

  test.each([null, 404, 410])('ends with an empty page, or with a missing one (%s)', async (behind) => {
    const { end, urls } = await fetchPages(always(behind));
    expect(end).toMatchObject(whole);
    expect(urls).toHaveLength(4);
    expect((await fetchPages(always(behind, { total: 27 }))).end).toMatchObject(whole);
  });

  test('has no gap where a total says more', async () => {
    for (const behind of [null, 404]) {
      const { end } = await fetchPages(always(behind, { total: 27 }, 2));
      expect(end).toMatchObject({ outcome: 'failed' });
      expect((await fetchPages(always(behind, { total: 40 }))).end).toMatchObject({ outcome: 'failed' });
    }
  });

  /** Pages of 10 of 57 records; page 3 has none, and `next` is always there. */
  const gapped =
    (missing: number | null, { p = 'page', count = 57 } = {}): Answer =>
    ({ query, response }) => {
      const page = number(query, p, 1);
      if (missing !== null && (page === 3 || page * 10 > count + 10)) response.writeHead(missing).end();
      const items = page === 3 ? [] : slice((page - 1) * 10, 10, count);
      return { items, next: `/gv2/webservices/API/v1.12/Players?${p}=${page + 1}` };
    };

  test('is read on behind an empty page', async () => {
    for (const p of ['page', 'blatt']) {
      const { end, records: came } = await fetchPages(gapped(null, { p }));
      expect(end).toMatchObject({ outcome: 'ok', message: null });
      expect(came).toEqual([...slice(0, 20, 57), ...slice(30, 27, 57)]);
    }
  });

  test('ends two pages behind a full one, or with a missing one', async () => {
    for (const [behind, last] of [
      [null, '?page=4'],
      [404, '?page=3'],
    ] as const) {
      const { end, urls } = await fetchPages(gapped(behind, { count: 20 }));
      expect(end).toMatchObject({ outcome: 'ok', items: 20, message: null });
      expect(urls.at(-1)).toBe(last);
    }
  });

  test('that counts by tokens may have empty pages between', async () => {
    const pages = [slice(0, 10, 27), [], slice(10, 17, 27)];
    const { end } = await fetchPages(({ query }) => {
      const at = number(query, 'p', 0) || Number((query.get('t') ?? 'k0').slice(1));
      return { items: pages[at], ...(at < 2 && { next: `?t=k${at + 1}` }) };
    });
    expect(end).toMatchObject(whole);
  });
});
