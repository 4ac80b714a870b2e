import { expect, test } from 'vitest';
import { fetchFrom, json, serve } from './support/serve.ts';

/* What pages say of themselves and of one another shows an early end, and a page that is left out. */

const records = (from: number) => Array.from({ length: 20 }, (_, at) => ({ Id: from + at, Name: `P ${at}` }));

interface Says {
  readonly body?: object;
  readonly link?: string;
}

/** How a listing of so many pages with 20 players each ends. Its pages link to one another. */
async function endOf(
  pages: number,
  says: (page: number, here: string) => Says,
  settings: object = {},
): Promise<Awaited<ReturnType<typeof fetchFrom>>['end']> {
  await using server = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
    const page = Number(searchParams.get('page') ?? searchParams.get('page[number]') ?? 1);
    const { body, link } = says(page, pathname);
    const headers = link === undefined ? {} : { link };
    json(response, JSON.stringify({ items: page <= pages ? records(page * 20) : [], ...body }), headers);
  });
  const players = { columns: {}, drop: [], mask: [], ...settings };
  return (await fetchFrom(server.url, 'players', { source: { resources: { players } } })).end;
}

const FORMS: readonly (readonly [string, (page: number, here: string, last: number) => Says])[] = [
  [
    'a Link header',
    (page, here, last) => ({
      link:
        page < 2
          ? `<${here}?page=${page + 1}>; rel="next", <${here}?page=${last}>; rel="last"`
          : `<${here}?page=${last}>; rel="last"`,
    }),
  ],
  [
    'links of JSON:API',
    (page, here, last) => ({
      body: {
        links: {
          first: `${here}?page[number]=1`,
          next: page < 2 ? `${here}?page[number]=${page + 1}` : null,
          last: `${here}?page[number]=${last}`,
        },
      },
    }),
  ],
  [
    'links of HAL',
    (page, here, last) => ({
      body: {
        _links: {
          self: { href: `${here}?page=${page}` },
          ...(page < 2 && { next: { href: `${here}?page=${page + 1}&size=20` } }),
          last: { href: `${here}?size=20&page=${last}` },
        },
      },
    }),
  ],
  [
    'a list of links',
    (page, here, last) => ({
      body: {
        links: [
          ...(page < 2 ? [{ rel: 'next', href: `${here}?page=${page + 1}` }] : []),
          { rel: 'last', href: `${here}?page=${last}` },
        ],
      },
    }),
  ],
];

test.each(FORMS)('%s to the page that is read last is no question', async (_, says) => {
  const end = await endOf(2, (page, here) => says(page, here, 2));
  expect(end).toMatchObject({ outcome: 'ok', items: 40, message: null });
});

test.each([
  ['?page=1&per_page=3', '?page=1'],
  [null, '?page=1'],
  ['?page=0', '?page=0'],
])('a first page %j that is the last %j too is no question', async (first, last) => {
  const end = await endOf(1, (_, here) => ({
    body: { paging: { first: first && here + first, next: null, last: here + last } },
  }));
  expect(end).toMatchObject({ outcome: 'ok', items: 20, message: null });
});

test('a size that is the number of all records is no bound', async () => {
  const end = await endOf(2, (page) => ({
    body: { size: 40, pagelen: 20, page, ...(page < 2 && { next: '?page=2' }) },
  }));
  expect(end).toMatchObject({ outcome: 'ok', items: 40, message: null });
});

test('the style that the config names is not offered as its cure', async () => {
  const end = await endOf(1, () => ({}), { paging: 'next@links.next' });
  expect(end.errorCode).toBe('PAGING_UNPROVEN');
  const choices = end.question?.cures.flatMap((cure) => cure.choices) ?? [];
  expect(choices.length).toBeGreaterThan(0);
  expect(choices).not.toContain('next@links.next');
});

test('a link to the last page of cursors says nothing of their order', async () => {
  const end = await endOf(2, (page, here) => ({
    link:
      page < 2
        ? `<${here}?page=2&after=QQ>; rel="next", <${here}?page=2&after=ZZ>; rel="last"`
        : `<${here}?page=2&after=ZZ>; rel="last"`,
  }));
  expect(end).toMatchObject({ outcome: 'ok', items: 40, message: null });
});

test('a next page that says its own number is no question', async () => {
  const end = await endOf(2, (page) => ({
    body: { page: page - 1, from: page * 20 - 19, next: page < 2 ? '?page=2' : null },
  }));
  expect(end).toMatchObject({ outcome: 'ok', items: 40, message: null });
});
