import { describe, expect, test } from 'vitest';
import { createSiblings } from '#lib/api/contract/siblings.ts';
import { NO_PAGING } from '#lib/config/paging-style.ts';
import { ALL, after, byPage, COUNT, from, more, pageOf, records, SIZE } from './support/named-records.ts';
import { type Answer, fetchPages, record } from './support/pages.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

/* Each shape that once lost records without a word, by its name: whole without a setting, or a question that leads there. */

const LONG = Array.from({ length: 1003 }, (_, id) => record(id));

const tokenAt = (query: URLSearchParams, name: string) => Number((query.get(name) ?? 'k0').slice(1));

/** Pages that are requested with a token, which is where `says` puts it. */
const byToken =
  (param: string, says: (token: string | null) => object): Answer =>
  ({ query }) => ({ items: from(tokenAt(query, param)), ...says(after(tokenAt(query, param))) });
const byHeader =
  (param: string, name: string): Answer =>
  ({ query, response }) => {
    const token = after(tokenAt(query, param));
    if (token !== null) response.setHeader(name, token);
    return from(tokenAt(query, param));
  };
const WHOLE: Readonly<Record<string, Answer>> = {
  'the number of a page that is requested as p, where another name is refused': ({ query, response }) => {
    if ([...query.keys()].some((name) => name !== 'p')) response.statusCode = 400;
    return { items: from(pageOf(query, 1, 'p') * SIZE), pageIndex: pageOf(query, 1, 'p') + 1 };
  },
  'a total, and the number of a page that is requested as pageIndex': byPage(
    (page) => ({ current: { page: page + 1 }, total: COUNT }),
    { param: 'pageIndex' },
  ),
  'an offset that is requested as skip, where another name is a filter': ({ query }) => {
    const skip = Number(query.get('skip') ?? 0);
    const isRead = [...query.keys()].every((name) => name === 'skip');
    return { items: isRead ? from(skip, 4) : [], paging: { startIndex: skip } };
  },
  'a size of 100 is declared, ten come': byPage((page) => ({ page: page + 1, pageSize: 100 })),
  'the second page is shorter than the first, the third is not': ({ query }) => {
    const cuts = [0, 10, 17, 27];
    const [start = COUNT, end = COUNT] = cuts.slice(pageOf(query));
    return { items: records(start, end), page: pageOf(query) + 1 };
  },
  'a page count that says more than a short page': ({ query }) => {
    const page = pageOf(query);
    return { items: records(page * 9, page * 9 + 9), pageSize: 10, page: page + 1, totalPages: 3 };
  },
  'pages without a number, counted from 0': byPage(() => ({ pageSize: SIZE }), { first: 0 }),
  'pages without a number, counted from 1': byPage(() => ({ pageSize: SIZE })),
  'a total that is the length of each page, beside a size': ({ query }) => {
    const items = from(pageOf(query) * SIZE);
    return { items, total: items.length, pageSize: SIZE };
  },
  'a Link header with commas in quotes and addresses': ({ query, response }) => {
    const page = pageOf(query);
    const to = (number: number) => `</gv2/webservices/API/v1.12/Players?a=1,2;3&page=${number}>`;
    const links = [
      `${to(1)}; title="back, to \\"the\\" start; rel=next"; rel=first`,
      ...(more(page) ? [`${to(page + 2)};title="one, more";  rel="prefetch next"`] : []),
    ];
    response.setHeader('link', links.join(','));
    return from(page * SIZE);
  },
  'a total of 1,003 as a text, all there': () => ({ items: LONG, total: '1,003' }),
  'a flag without more, beside a next page and a total that is not reached': ({ query }) => {
    const start = tokenAt(query, '_next');
    const next = after(start);
    const next_url = next && `/gv2/webservices/API/v1.12/Players?_next=${next}`;
    return { rows: from(start), truncated: false, count: COUNT, next, next_url };
  },
  'that flag beside a cursor': byToken('cursor', (cursor) => ({ truncated: false, total: COUNT, cursor })),
};
test.each(Object.entries(WHOLE))('whole with nothing but the path: %s', async (name, answer) => {
  const { end, records: came } = await fetchPages(answer);
  expect(end).toMatchObject({ outcome: 'ok', message: null });
  expect(came).toEqual(name.includes('1,003') ? LONG : ALL);
});

describe('a configured style', () => {
  const older: Answer = ({ query, response }) => {
    if (more(pageOf(query))) response.setHeader('link', `<?page=${pageOf(query) + 2}>; rel="older"`);
    return from(pageOf(query) * SIZE);
  };
  test.each([
    ['cursor:continue@metadata.continue', byToken('continue', (t) => ({ metadata: { continue: t ?? '' } }))],
    ['cursor:pos@header:X-Next', byHeader('pos', 'X-Next')],
    ['link:older', older],
  ])('follows %s', async (paging, answer) => {
    const { end, records: came } = await fetchPages(answer, { paging });
    expect(end).toMatchObject({ outcome: 'ok', message: null });
    expect(came).toEqual(ALL);
  });

  const STYLES = ['link', 'next', 'cursor:cursor', 'next@links.next', 'cursor:after@paging.next.after'];
  test.each(STYLES)('%s that finds nothing to follow is an error', async (paging) => {
    const { end } = await fetchPages(() => ({ items: ALL }), { paging });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
    expect(end.message).toContain(paging);
  });
});

test('screens are whole by the offset of the page, where other parameters are filters and its size names a page', async () => {
  await using server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const offset = Number(query.get('offset') ?? 0);
    const isRead = [...query.keys()].every((name) => name === 'offset');
    const items = isRead ? records(offset, Math.min(offset + 4, 11)) : [];
    json(response, JSON.stringify({ items, paging: { offset: String(offset), pageSize: '100' } }));
  });
  const { end } = await fetchFrom(server.url, 'screens', { siblings: createSiblings() });
  expect(end).toMatchObject({ outcome: 'ok', items: 11 });
});

describe('screens of players in pages of three, which say their number alone', () => {
  /** Reads the screens of players one after the other, as the listings of one source. */
  const ofPlayers = async (counts: readonly number[], param: string, siblings = createSiblings()) => {
    const queries: string[] = [];
    await using server = await serve((request, response) => {
      const { pathname, search, searchParams } = new URL(request.url ?? '', 'http://localhost');
      queries.push(search);
      const from = param === '' ? 0 : pageOf(searchParams, 1, param) * 3;
      const count = Number(pathname.split('/').at(-2));
      const items = records(from, param === '' ? count : Math.min(from + 3, count));
      json(response, JSON.stringify({ items, page: from / 3 + 1 }));
    });
    const came: number[] = [];
    for (const count of counts) {
      const { end } = await fetchFrom(server.url, 'screens', { siblings, parentId: String(count) });
      came.push(end.items);
    }
    return { came, queries };
  };
  const byP = { ...NO_PAGING, name: 'page', param: 'p', start: 1 } as const;

  test('are whole by a parameter with another name', async () => {
    expect((await ofPlayers([3, 2, 7, 5], 'pageNumber')).came).toEqual([3, 2, 7, 5]);
  });

  test('are requested by the parameter of another listing at once', async () => {
    const { came, queries } = await ofPlayers([4], 'p', createSiblings(byP));
    expect(came).toEqual([4]);
    expect(queries).toEqual(['', '?p=2', '?p=1', '?p=3']);
  });

  test('are requested as their siblings have shown while the first answer came', async () => {
    let asked = 0;
    const shown = { ...byP, param: 'pg' };
    const siblings = { ...createSiblings(), style: () => (asked++ === 0 ? null : shown) };
    expect((await ofPlayers([7], 'pg', siblings)).came).toEqual([7]);
  });

  test('cost few calls where the number means nothing', async () => {
    const counts = Array.from({ length: 200 }, (_, index) => 2 + (index % 6));
    const { came, queries } = await ofPlayers(counts, '');
    expect(came).toEqual(counts);
    expect(queries.length).toBeLessThanOrEqual(200 + 2 * 15);
  });
});
