import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createSiblings, type Siblings } from '#lib/api/contract/siblings.ts';
import type { ListingEnd } from '#lib/api/listing.ts';
import { parsePaging } from '#lib/config/paging-style.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

/* Each shape that once lost records without a word, by its name: whole without a setting, or a question that leads there. */

/** No round number, and more than two pages of ten. */
const COUNT = 27;
const SIZE = 10;
const record = (id: number) => ({ Id: id, Name: `Player ${id}` });
const records = (from: number, to: number) =>
  Array.from({ length: Math.max(0, Math.min(to, COUNT) - from) }, (_, index) => record(from + index));
const ALL = records(0, COUNT);
const LONG = Array.from({ length: 1003 }, (_, id) => record(id));

interface Asked {
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
}
type Answer = (asked: Asked) => unknown;
type Settings = Readonly<Record<string, unknown>>;

async function read(answer: Answer, settings: Settings = {}, lock?: ListingEnd['contract']) {
  await using server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const text = JSON.stringify(answer({ query, response }));
    if (!response.headersSent) json(response, text);
  });
  const players = { columns: {}, drop: [], mask: [], ...settings };
  return await fetchFrom(server.url, 'players', {
    source: { resources: { players } },
    ...(lock && { contract: lock }),
  });
}

const at = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);
const from = (start: number, size = SIZE) => records(start, start + size);
const pageOf = (query: URLSearchParams, first = 1, name = 'page') => Number(query.get(name) ?? first) - first;
/** What a member says of the next page; null behind the last. */
const after = (start: number) => (start + SIZE < COUNT ? `k${start + SIZE}` : null);
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
/** Numbered pages. */
const byPage =
  (says: (page: number) => object, { first = 1, param = 'page' } = {}): Answer =>
  ({ query }) => {
    const page = pageOf(query, first, param);
    return { items: from(page * SIZE), ...says(page) };
  };

const more = (page: number) => (page + 1) * SIZE < COUNT;

describe('whole with nothing but the path', () => {
  const WHOLE: Readonly<Record<string, Answer>> = {
    'NextMarker, requested as Marker': byToken('Marker', (token) => (token ? { NextMarker: token } : {})),
    continuationToken: byToken('continuationToken', (token) => ({ continuationToken: token })),
    'x-ms-continuation': byHeader('continuation', 'x-ms-continuation'),
    'next as the number of a page, beside the count of pages': byPage((page) => ({
      next: more(page) ? page + 2 : null,
      pages: 3,
    })),
    'response_metadata.next_cursor': byToken('cursor', (token) => ({
      response_metadata: { next_cursor: token ?? '' },
    })),
    'first, prev, next, last and pages as numbers': byPage(
      (page) => ({ first: 1, prev: page || null, next: more(page) ? page + 2 : null, last: 3, pages: 3 }),
      { param: 'page' },
    ),
    'done as the number of pages': byPage((page) => ({ page: page + 1, done: 3 })),
    'hasMore: true beside an empty page': ({ query }) => {
      const page = pageOf(query);
      // The second page has nothing that this key may see.
      const items = page === 1 ? [] : from((page === 0 ? 0 : page - 1) * SIZE);
      return { items, page: page + 1, hasMore: page < 3 };
    },
    'a size of 100 is declared, ten come': byPage((page) => ({ page: page + 1, pageSize: 100 })),
    'the second page is shorter than the first, the third is not': ({ query }) => {
      const [start = COUNT, end = COUNT] =
        [
          [0, 10],
          [10, 17],
          [17, 27],
        ][pageOf(query)] ?? [];
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
      return {
        rows: from(start),
        truncated: false,
        count: COUNT,
        next,
        next_url: next && `/gv2/webservices/API/v1.12/Players?_next=${next}`,
      };
    },
    'the same flag beside a cursor': byToken('cursor', (token) => ({
      truncated: false,
      total: COUNT,
      cursor: token,
    })),
    'idle members alone': () => ({
      items: ALL,
      requestId: 'a8f3e2b1',
      serverTime: '2026-11-21T03:00:00Z',
      version: '1.12.4',
      took: 12,
      self: '/gv2/webservices/API/v1.12/Players',
      success: true,
    }),
  };
  test.each(Object.entries(WHOLE))('%s', async (name, answer) => {
    const { end, records: came } = await read(answer);
    expect(end).toMatchObject({ outcome: 'ok', message: null });
    expect(came).toEqual(name.includes('1,003') ? LONG : ALL);
  });
});

const filtered =
  (param: string, says: (start: number) => object): Answer =>
  ({ query }) => {
    const isFiltered = [...query.keys()].some((name) => name !== param);
    const start = at(query, param);
    return isFiltered ? { items: [] } : { items: from(start), ...says(start) };
  };

interface AskedAbout {
  readonly answer: Answer;
  /** What the message has to name. */
  readonly names?: string;
  /** With what all is whole. */
  readonly settings: Settings;
  readonly code?: string;
}

describe('whole by what proves itself, or asked about with a setting that leads to the whole', () => {
  const skip: Answer = ({ query }) => ({ items: from(at(query, 'skip')) });
  /** The first page with what next to it says that there is more; the rest by a parameter that nobody names. */
  const besides =
    (beside: object): Answer =>
    (asked) => ({ ...Object(skip(asked)), ...beside });
  const all = (beside: object): Answer => byAll(beside);
  const byAll =
    (beside: object): Answer =>
    () => ({ items: ALL, ...beside });
  const offset = { paging: 'offset:skip' };
  const ASKED: Readonly<Record<string, AskedAbout>> = {
    'has_more_rows: true': {
      answer: ({ query }) => ({
        items: from(at(query, 'skip')),
        has_more_rows: at(query, 'skip') + SIZE < COUNT,
      }),
      names: 'has_more_rows',
      settings: offset,
    },
    'exceededTransferLimit: true': {
      answer: ({ query }) => ({
        items: from(at(query, 'skip')),
        ...(at(query, 'skip') + SIZE < COUNT && { exceededTransferLimit: true }),
      }),
      names: 'exceededTransferLimit',
      settings: offset,
    },
    '"more": "Y"': {
      answer: ({ query }) => ({
        items: from(at(query, 'skip')),
        more: at(query, 'skip') + SIZE < COUNT ? 'Y' : 'N',
      }),
      names: 'more',
      settings: offset,
    },
    numFound: { answer: besides({ numFound: COUNT }), names: `${COUNT}`, settings: offset },
    'hydra:totalItems': {
      answer: besides({ 'hydra:totalItems': COUNT }),
      names: `${COUNT}`,
      settings: offset,
    },
    'a yes under a word that nobody knows': {
      answer: all({ flinuv: true }),
      names: '"flinuv" (true)',
      settings: { ignore: ['flinuv'] },
    },
    'a number under a word that nobody knows': {
      answer: besides({ tibwen: COUNT }),
      names: `"tibwen" (${COUNT})`,
      settings: offset,
    },
    'an address under a word that nobody knows': {
      answer: ({ query }) => ({
        items: from(at(query, 'skip')),
        ...(after(at(query, 'skip')) && { jorlim: `?skip=${at(query, 'skip') + SIZE}` }),
      }),
      names: '"jorlim"',
      settings: { paging: 'next@jorlim' },
    },
    'a total of the page alone, beside no size': {
      answer: ({ query }) => ({
        items: from(at(query, 'skip')),
        total: from(at(query, 'skip')).length,
      }),
      code: 'CAP_SUSPECTED',
      settings: offset,
    },
    'a cursor, where unknown parameters are filters': {
      answer: filtered('skip', (start) => ({ nextToken: start + SIZE < COUNT ? `${start + SIZE}` : null })),
      names: 'nextToken',
      settings: { paging: 'cursor:skip@nextToken' },
    },
    ...Object.fromEntries(
      [10, 15, 20, 25].map((length) => [
        `${length} records and no word of more`,
        {
          answer: ({ query }: Asked) => records(at(query, 'skip'), at(query, 'skip') + length),
          code: 'CAP_SUSPECTED',
          names: `exactly ${length} records`,
          settings: offset,
        },
      ]),
    ),
  };

  test.each(Object.entries(ASKED))('%s', async (_, { answer, names = '', settings, code }) => {
    const { end, records: came } = await read(answer);
    if (end.question === undefined) expect(came).toEqual(ALL);
    else {
      expect(end.errorCode).toBe(code ?? 'PAGING_UNPROVEN');
      expect(end.message).toContain(names);
      expect(end.message).toMatch(/resources\.players\.paging/i);
    }
    const after = await read(answer, settings);
    expect(after.end).toMatchObject({ outcome: 'ok', message: null });
    expect(after.records).toEqual(ALL);
    // What it offers can be written.
    const offered = (end.question?.cures ?? [])
      .filter(({ setting }) => setting.endsWith('.paging'))
      .flatMap(({ choices }) => choices);
    expect(offered.filter((choice) => parsePaging(String(choice)) === null)).toEqual([]);
  });

  test('a page that says its number, and no total, is all, with a note', async () => {
    const { end } = await read(() => ({ items: records(0, 4), currentPage: 1 }));
    expect(end).toMatchObject({ outcome: 'ok', message: null, notes: [{ code: 'CAP_SUSPECTED' }] });
    expect(end.notes[0]?.says).toContain('the number of its page, and neither a total nor a next page');
  });

  test.each([10, 15, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000])(
    '%i records and no word of more are all, with a note at most',
    async (length) => {
      const many = () => Array.from({ length }, (_, id) => record(id));
      const { end } = await read(many);
      expect(end).toMatchObject({ outcome: 'ok', errorCode: null, message: null, notes: [] });
      const { end: enveloped } = await read(() => ({ items: many() }));
      expect(enveloped).toMatchObject({ outcome: 'ok', message: null, notes: [{ code: 'CAP_SUSPECTED' }] });
      expect((await read(() => ({ items: many() }), { complete: true })).end.notes).toEqual([]);
    },
  );
});

describe('a configured style', () => {
  const PLACED: Readonly<Record<string, readonly [paging: string, answer: Answer]>> = {
    'a member in an object': [
      'cursor:continue@metadata.continue',
      byToken('continue', (token) => ({ metadata: { continue: token ?? '' } })),
    ],
    'a header': ['cursor:pos@header:X-Next', byHeader('pos', 'X-Next')],
    'a relation of the Link header': [
      'link:older',
      ({ query, response }) => {
        if (more(pageOf(query))) response.setHeader('link', `<?page=${pageOf(query) + 2}>; rel="older"`);
        return from(pageOf(query) * SIZE);
      },
    ],
    'a list of links': [
      'next@links.older',
      ({ query }) => ({
        items: from(pageOf(query) * SIZE),
        links: more(pageOf(query)) ? [{ rel: 'older', href: `?page=${pageOf(query) + 2}` }] : [],
      }),
    ],
  };
  test.each(Object.entries(PLACED))('follows %s', async (_, [paging, answer]) => {
    const { end, records: came } = await read(answer, { paging });
    expect(end).toMatchObject({ outcome: 'ok', message: null });
    expect(came).toEqual(ALL);
  });

  test.each(['link', 'next', 'cursor:cursor', 'next@links.next', 'cursor:after@paging.next.after'])(
    '%s that finds nothing to follow is an error',
    async (paging) => {
      const { end } = await read(() => ({ items: ALL }), { paging });
      expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
      expect(end.message).toContain(paging);
    },
  );
});

test('two lists side by side are asked about, whatever their names', async () => {
  const beside: Answer = () => ({ Players: from(0), OfflinePlayers: from(10) });
  const { end } = await read(beside);
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'ENVELOPE_AMBIGUOUS' });
  expect((await read(beside, { items: '{}[]' })).records).toHaveLength(20);
});

describe('a listing that was locked yesterday', () => {
  const plain = () => ({ items: ALL, version: '1.0' });

  test('and has one more harmless member today is read whole', async () => {
    const { end } = await read(plain);
    const today = await read(() => ({ ...plain(), region: 'eu', flinuv: true }), {}, end.contract);
    expect(today.end).toMatchObject({ outcome: 'ok', message: null, notes: [] });
    expect(today.end.contract?.facts).toHaveProperty('flinuv');
  });

  test.each([{ duration: '0.113 s' }, { copyright: 'Example AG' }, { status: 'OK' }])(
    'and has %o more and fewer records is whole: that speaks of no records',
    async (member) => {
      const { end } = await read(plain);
      const today = await read(() => ({ ...plain(), items: from(5), ...member }), {}, end.contract);
      expect(today.end).toMatchObject({ outcome: 'ok', errorCode: null, notes: [] });
    },
  );

  test.each([{ hasMore: true }, { total: 40 }])(
    'and has %o more today contradicts itself',
    async (member) => {
      const { end } = await read(plain);
      const today = await read(() => ({ ...plain(), ...member }), {}, end.contract);
      expect(today.end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
    },
  );

  test.each([{ flinuv: true }, { flinuv: 'half of it' }])(
    'and has %o more and fewer records is in doubt',
    async (member) => {
      const { end } = await read(plain);
      const today = await read(() => ({ ...plain(), items: from(5), ...member }), {}, end.contract);
      expect(today.end).toMatchObject({ outcome: 'ok', errorCode: 'SHAPE_CHANGED' });
    },
  );
});

describe('screens of players, where unknown parameters are filters', () => {
  const ofScreens = async (count: number, siblings: Siblings) => {
    await using server = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://localhost').searchParams;
      const offset = Number(query.get('offset') ?? 0);
      const isRead = [...query.keys()].every((name) => name === 'offset');
      const items = isRead ? records(offset, Math.min(offset + 4, count)) : [];
      json(response, JSON.stringify({ items, paging: { offset: String(offset), pageSize: '100' } }));
    });
    const { end } = await fetchFrom(server.url, 'screens', { siblings });
    return { end, calls: server.calls.length };
  };

  test('are whole by the offset that the page says, though its size names a page', async () => {
    expect((await ofScreens(11, createSiblings())).end).toMatchObject({ outcome: 'ok', items: 11 });
  });
});

describe('a flag that turns', () => {
  const day =
    (says: object, count: number): Answer =>
    () => ({ items: records(0, count), ...says });

  test('next to fewer records: nothing is removed for it, until complete says that it is whole', async () => {
    const first = await read(day({ complet: true }, 27));
    expect(first.end).toMatchObject({ outcome: 'ok', errorCode: null, message: null });
    const contract = first.end.contract;
    expect((await read(day({ complet: true }, 26), {}, contract)).end.message).toBeNull();
    expect((await read(day({ complet: false }, 28), {}, contract)).end.message).toBeNull();
    const turned = await read(day({ complet: false }, 26), {}, contract);
    expect(turned.records).toHaveLength(26);
    expect(turned.end).toMatchObject({
      outcome: 'ok',
      contract: { isCapSuspected: true },
      question: {
        cures: [{ setting: 'resources.players.complete', choices: [true] }, { choices: [['complet']] }],
      },
    });
    // What is in question is not known tomorrow.
    const again = await read(day({ complet: false }, 26), {}, turned.end.contract);
    expect(again.end.question).toBeDefined();
    const declared = await read(day({ complet: false }, 26), { complete: true }, contract);
    expect(declared.end).toMatchObject({ outcome: 'ok', message: null });
    expect((await read(day({ complet: false }, 25), {}, declared.end.contract)).end.message).toBeNull();
  });
});

test('a listing that answers {} has no record, unless it had some before', async () => {
  expect((await read(() => ({}))).end).toMatchObject({ outcome: 'empty', message: null });
  const { end } = await read(() => ({ items: ALL }));
  const today = await read(() => ({}), {}, end.contract);
  expect(today.end).toMatchObject({ outcome: 'failed', errorCode: 'ENVELOPE_UNKNOWN' });
});

test('a GraphQL connection under the name of the listing may be empty', async () => {
  const pageInfo = { hasNextPage: false, endCursor: null };
  const { end } = await read(() => ({ data: { players: { edges: [], pageInfo, totalCount: 0 } } }));
  expect(end).toMatchObject({ outcome: 'empty', message: null });
});
