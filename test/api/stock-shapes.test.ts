import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

/*
 * How stock servers list 27 players in pages of ten. Each is read whole by its path alone, or with the settings here.
 * `npm run test:servers` asks the servers themselves.
 */

const COUNT = 27;
const SIZE = 10;
const record = (id: number) => ({ Id: id, Label: `Player ${id}` });
const ALL = Array.from({ length: COUNT }, (_, id) => record(id));
const from = (start: number) => ALL.slice(start, start + SIZE);
const PATH = '/gv2/webservices/API/v1.12/Players';

interface Asked {
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
type Answer = (asked: Asked) => unknown;

async function read(answer: Answer, settings: object = {}) {
  await using server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const text = JSON.stringify(answer({ query, request, response }));
    if (!response.headersSent) json(response, text);
  });
  const source = { name: 'berlin', kind: 'signage', baseUrl: server.url, secret: 'shapes/berlin' };
  const config = { name: 'shapes', schedule: 'cron(0 3 * * ? *)', timeZone: 'Europe/Berlin' };
  const sources = [{ ...source, resources: { players: settings } }];
  const [parsed] = parseConfig(JSON.stringify({ ...config, sources }), 'shapes.config.json').sources;
  return await fetchFrom(server.url, 'players', { source: { resources: parsed?.resources ?? {} } });
}

const at = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);
const pageOf = (query: URLSearchParams) => at(query, 'page') || 1;
const more = (page: number) => page * SIZE < COUNT;

interface Stock {
  readonly answer: Answer;
  readonly settings?: object;
  /** Its records, if they are not the players unchanged. */
  readonly records?: readonly unknown[];
}

const node = (id: number) => ({ node: record(id), cursor: `c${id}` });

const STOCK: Readonly<Record<string, Stock>> = {
  "JSON:API's attributes and relative next": {
    answer: ({ query }) => {
      const page = at(query, 'page[number]') || 1;
      const data = from((page - 1) * SIZE).map(({ Id, Label }) => ({
        type: 'players',
        id: `${Id}`,
        attributes: { Label },
      }));
      return {
        links: {
          first: `${PATH}?page[number]=1`,
          next: more(page) ? `${PATH}?page[number]=${page + 1}` : null,
        },
        data,
        meta: { pagination: { page, pages: 3, count: COUNT } },
      };
    },
    records: ALL.map(({ Id, Label }) => ({ type: 'players', id: `${Id}`, Label })),
  },
  "Eve's next, which is relative to the root of its API": {
    answer: ({ query }) => ({
      _items: from((pageOf(query) - 1) * SIZE),
      _links: {
        self: { title: 'players', href: 'Players' },
        ...(more(pageOf(query)) && {
          next: { title: 'next page', href: `Players?page=${pageOf(query) + 1}` },
        }),
      },
      _meta: { page: pageOf(query), max_results: SIZE, total: COUNT },
    }),
    settings: { items: '_items' },
  },
  "Spring's content, whose number begins with 0": {
    answer: ({ query }) => {
      const page = at(query, 'page');
      return {
        content: from(page * SIZE),
        pageable: { pageNumber: page, pageSize: SIZE, offset: page * SIZE, paged: true, unpaged: false },
        totalElements: COUNT,
        totalPages: 3,
        last: !more(page + 1),
        first: page === 0,
        number: page,
        size: SIZE,
        numberOfElements: from(page * SIZE).length,
        empty: false,
      };
    },
    settings: { items: 'content', paging: 'page:page' },
  },
  "Datasette's rows as arrays": {
    answer: ({ query }) => {
      const start = at(query, '_next');
      const next = start + SIZE < COUNT ? `${start + SIZE}` : null;
      return {
        columns: ['Id', 'Label'],
        rows: from(start).map((each) => Object.values(each)),
        truncated: false,
        count: COUNT,
        next,
        next_url: next && `${PATH}?_next=${next}`,
      };
    },
    settings: { items: 'rows[columns]' },
  },
  "Feathers' $skip": {
    answer: ({ query }) => ({
      total: COUNT,
      limit: SIZE,
      skip: at(query, '$skip'),
      data: from(at(query, '$skip')),
    }),
    settings: { paging: 'offset:$skip' },
  },
  "Litestar's current_page, asked for by currentPage": {
    answer: ({ query }) => {
      const page = at(query, 'currentPage') || 1;
      return { items: from((page - 1) * SIZE), page_size: SIZE, current_page: page, total_pages: 3 };
    },
    settings: { paging: 'page:currentPage' },
  },
  "fastapi-pagination's cursor": {
    answer: ({ query }) => {
      const start = Number(atob(query.get('cursor') ?? 'MA=='));
      return {
        items: from(start),
        current_page: btoa(`${start}`),
        current_page_backwards: null,
        previous_page: null,
        next_page: start + SIZE < COUNT ? btoa(`${start + SIZE}`) : null,
      };
    },
    settings: { paging: 'cursor:cursor@next_page' },
  },
  "FastAPI's tutorial, which says nothing": {
    answer: ({ query }) => from(at(query, 'offset')),
    settings: { paging: 'offset:offset' },
  },
  "Stripe's last id": {
    answer: ({ query }) => {
      const start = query.has('starting_after') ? at(query, 'starting_after') + 1 : 0;
      return { object: 'list', url: '/v1/players', has_more: start + SIZE < COUNT, data: from(start) };
    },
    settings: { paging: 'cursor:starting_after@last:Id' },
  },
  "HubSpot's paging.next.after": {
    answer: ({ query }) => {
      const after = at(query, 'after') + SIZE;
      return {
        results: from(at(query, 'after')),
        ...(after < COUNT && { paging: { next: { after: `${after}` } } }),
      };
    },
    settings: { paging: 'cursor:after@paging.next.after' },
  },
  "a next link with a proxy's inner host": {
    answer: ({ query }) => ({
      count: COUNT,
      next: more(pageOf(query)) ? `http://app:8000/v1.12/Players?page=${pageOf(query) + 1}` : null,
      results: from((pageOf(query) - 1) * SIZE),
    }),
    settings: { paging: 'next@next' },
  },
  'HTTP 206 with a range of items': {
    answer: ({ query, response }) => {
      const start = at(query, 'offset');
      const to = Math.min(COUNT, start + SIZE) - 1;
      response.setHeader('content-range', `items ${start}-${to}/${COUNT}`);
      response.statusCode = 206;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(from(start)));
      return null;
    },
    settings: { paging: 'offset:offset' },
  },
  "GraphQL's edges": {
    answer: ({ query }) => {
      const start = query.has('after') ? Number(query.get('after')?.slice(1)) + 1 : 0;
      const edges = ALL.slice(start, start + SIZE).map(({ Id }) => node(Id));
      return {
        edges,
        pageInfo: { hasNextPage: start + SIZE < COUNT, endCursor: edges.at(-1)?.cursor ?? null },
      };
    },
    settings: { items: 'edges[].node{1}', paging: 'cursor:after@pageInfo.endCursor' },
  },
};

describe('read whole', () => {
  test.each(Object.entries(STOCK))('%s', async (_, { answer, settings, records = ALL }) => {
    const { end, records: came } = await read(answer, settings);
    expect(end).toMatchObject({ outcome: 'ok', message: null });
    expect(came).toEqual(records);
  });

  test.each(Object.entries(STOCK).filter(([, { settings }]) => settings !== undefined))(
    '%s; without the settings it is whole or a question, never short',
    async (_, { answer, records = ALL }) => {
      const { end, records: came } = await read(answer);
      if (end.outcome === 'ok' && end.question === undefined) expect(came).toEqual(records);
      else expect(end.question?.cures.length).toBeGreaterThan(0);
    },
  );
});

test('a HAL listing without records leaves _embedded out, and a total of 0 says that there is none', async () => {
  const empty = { _links: { self: { href: PATH } }, total: 0 };
  const { end } = await read(() => empty, { items: '_embedded.players' });
  expect(end).toMatchObject({ outcome: 'empty', message: null });
  const full = { ...empty, total: 2 };
  expect((await read(() => full, { items: '_embedded.players' })).end).toMatchObject({ outcome: 'failed' });
});

test.each([{ _links: { self: { href: PATH } } }, { _links: { self: { href: PATH } }, totalItems: 0 }])(
  'a new listing of HAL that answers %o has no record',
  async (empty) => {
    expect((await read(() => empty)).end).toMatchObject({ outcome: 'empty', message: null });
  },
);
