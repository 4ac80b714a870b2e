import { expect, test } from 'vitest';
import { createShown, type Shown } from '#lib/api/shown.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

/* Flags that say that there is no more. Some speak of something else than pages, and some are wrong. */

const COUNT = 57;
const SIZE = 20;
const from = (start: number, count = COUNT) =>
  Array.from({ length: Math.max(0, Math.min(SIZE, count - start)) }, (_, at) => ({ Id: start + at }));

interface Asked {
  readonly query: URLSearchParams;
  /** The address of the listing. */
  readonly here: string;
}

async function read(
  answer: (asked: Asked) => object,
  { listing = 'players', shown }: { listing?: 'players' | 'screens'; shown?: Shown } = {},
) {
  const urls: string[] = [];
  await using server = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    urls.push(request.url ?? '');
    json(response, JSON.stringify(answer({ query: searchParams, here: pathname })));
  });
  const { end } = await fetchFrom(server.url, listing, shown && { shown });
  return { end, calls: urls.length };
}

const at = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);

test.each(['@Microsoft.Dynamics.CRM.totalrecordcountlimitexceeded', 'hasMoreColumns', 'truncated'])(
  '%s: false says nothing of pages: the next one is asked for',
  async (flag) => {
    const { end } = await read(({ query, here }) => ({
      [flag]: false,
      value: from(at(query, 'skip')),
      ...(at(query, 'skip') + SIZE < COUNT && {
        '@odata.nextLink': `${here}?skip=${at(query, 'skip') + SIZE}`,
      }),
    }));
    expect(end).toMatchObject({ outcome: 'ok', items: COUNT, message: null });
  },
);

test('a listing that says only of something else that nothing was exceeded is asked for further pages', async () => {
  const { end } = await read(({ query }) => ({
    limitExceeded: false,
    data: from((Math.max(1, at(query, 'page')) - 1) * SIZE),
  }));
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'CAP_SUSPECTED' });
});

test('a flag that denies a page that is named is believed only where that page has nothing new', async () => {
  const wrong = await read(({ query, here }) => ({
    hasMore: false,
    data: from(at(query, 'skip')),
    next: at(query, 'skip') + SIZE < COUNT ? `${here}?skip=${at(query, 'skip') + SIZE}` : null,
  }));
  expect(wrong.end).toMatchObject({ outcome: 'ok', items: COUNT, message: null });
  const right = await read(({ query, here }) => ({
    hasMore: at(query, 'skip') + SIZE < COUNT,
    data: from(at(query, 'skip')),
    next: `${here}?skip=${at(query, 'skip') + SIZE}`,
  }));
  expect(right.end).toMatchObject({ outcome: 'ok', items: COUNT, message: null });
  // It has said the opposite on the pages before.
  expect(right.calls).toBe(3);
});

test('what one child shows of a flag costs the others no call', async () => {
  const shown = createShown();
  const child = ({ query, here }: Asked) => ({
    has_more: false,
    links: { next: `${here}?after=Y3Vyc29yOjM6eno` },
    data: query.has('after') ? [] : from(0, 3),
  });
  const first = await read(child, { listing: 'screens', shown });
  expect(first).toMatchObject({ end: { outcome: 'ok', items: 3 }, calls: 2 });
  const second = await read(child, { listing: 'screens', shown });
  expect(second).toMatchObject({ end: { outcome: 'ok', items: 3 }, calls: 1 });
});

test.each([400, 404])('a page that is denied and refused with %i is none', async (status) => {
  let refused = 0;
  await using server = await serve((request, response) => {
    if (request.url?.includes('skip')) {
      refused += 1;
      response.writeHead(status).end('{}');
      return;
    }
    json(response, JSON.stringify({ hasMore: false, next: `${request.url}?skip=3`, data: from(0, 3) }));
  });
  const { end } = await fetchFrom(server.url, 'screens');
  expect(end).toMatchObject({ outcome: 'ok', items: 3, message: null });
  expect(refused).toBe(1);
});

test('a question about a flag that says that there is more can be answered by ignore', async () => {
  const { end } = await read(() => ({ hasMoreColumns: true, data: from(0, 7) }));
  expect(end.question?.cures.at(-1)).toMatchObject({
    setting: 'resources.players.ignore',
    choices: [['hasMoreColumns']],
  });
});
