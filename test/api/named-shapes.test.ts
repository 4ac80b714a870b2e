import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ListingEnd } from '#lib/api/listing.ts';
import { createShown, type Shown } from '#lib/api/shown.ts';
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

async function read(answer: Answer, settings: Settings = {}, lock?: ListingEnd['dialect']) {
  await using server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const text = JSON.stringify(answer({ query, response }));
    if (!response.headersSent) json(response, text);
  });
  const players = { columns: {}, drop: [], mask: [], ...settings };
  return await fetchFrom(server.url, 'players', {
    source: { resources: { players } },
    ...(lock && { lock }),
  });
}

const at = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);
const from = (start: number, size = SIZE) => records(start, start + size);
const pageOf = (query: URLSearchParams, first = 1, name = 'page') => Number(query.get(name) ?? first) - first;
/** What a member says of the next page; null behind the last. */
const after = (start: number) => (start + SIZE < COUNT ? `k${start + SIZE}` : null);
const tokenAt = (query: URLSearchParams, name: string) => Number((query.get(name) ?? 'k0').slice(1));

/** Pages that are asked for with a token, which stands where `says` puts it. */
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

describe('asked about, and whole with a setting that the question offers', () => {
  const skip: Answer = ({ query }) => ({ items: from(at(query, 'skip')) });
  /** The first page with what beside it says that there is more; the rest by a parameter that nobody names. */
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
    'a token under a word that nobody knows': {
      answer: byToken('hexmo', (token) => ({ meta: { rudzap: token } })),
      names: '"meta.rudzap" ("k10")',
      settings: { paging: 'cursor:hexmo@meta.rudzap' },
    },
    'an address under a word that nobody knows': {
      answer: ({ query }) => ({
        items: from(at(query, 'skip')),
        ...(after(at(query, 'skip')) && { jorlim: `?skip=${at(query, 'skip') + SIZE}` }),
      }),
      names: '"jorlim"',
      settings: { paging: 'next@jorlim' },
    },
    'a header that nobody knows': {
      answer: byHeader('pos', 'X-Kalmo'),
      names: '"x-kalmo" ("k10")',
      settings: { paging: 'cursor:pos@header:X-Kalmo' },
    },
    'a total of the page alone, beside no size': {
      answer: ({ query }) => ({
        items: from(at(query, 'skip')),
        total: from(at(query, 'skip')).length,
      }),
      code: 'CAP_SUSPECTED',
      settings: offset,
    },
    // What such a server gives for every parameter but its own is a page without records.
    'a page number, where unknown parameters are filters': {
      answer: filtered('skip', () => ({ page: 1 })),
      names: 'page may be one',
      settings: offset,
    },
    'a cursor, where unknown parameters are filters': {
      answer: filtered('skip', (start) => ({ nextToken: start + SIZE < COUNT ? `${start + SIZE}` : null })),
      names: 'nextToken may be one',
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
    const { end } = await read(answer);
    expect(end).toMatchObject({ outcome: 'failed', errorCode: code ?? 'PAGING_UNPROVEN' });
    expect(end.message).toContain(names);
    expect(end.message).toMatch(/resources\.players\.paging/i);
    const after = await read(answer, settings);
    expect(after.end).toMatchObject({ outcome: 'ok', message: null });
    expect(after.records).toEqual(ALL);
    // What it offers can be written.
    const offered = (end.question?.cures ?? [])
      .filter(({ setting }) => setting.endsWith('.paging'))
      .flatMap(({ choices }) => choices);
    expect(offered.filter((choice) => parsePaging(String(choice)) === null)).toEqual([]);
  });

  test.each([10, 15, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000])(
    '%i records and no word of more are all, if somebody says so',
    async (length) => {
      const many = () => Array.from({ length }, (_, id) => record(id));
      expect((await read(many)).end.errorCode).toBe('CAP_SUSPECTED');
      expect((await read(many, { complete: true })).end).toMatchObject({ outcome: 'ok', message: null });
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

test('a first answer of Spring that says that it is not the first page asks, and is whole from the page before', async () => {
  const slices: Answer = ({ query }) => {
    const page = at(query, 'page');
    return { content: from(page * SIZE), number: page, size: SIZE, first: page === 0, last: !more(page) };
  };
  const items = 'content';
  const late = await read(slices, { items, paging: 'page:page=1' });
  expect(late.end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  expect(late.end.message).toContain('resources.players.paging to "page:page=0"');
  for (const paging of ['page:page=0', 'page:page'])
    expect((await read(slices, { items, paging })).records, paging).toEqual(ALL);
});

test('two lists side by side are asked about, whatever their names', async () => {
  const beside: Answer = () => ({ Players: from(0), OfflinePlayers: from(10) });
  const { end } = await read(beside);
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'ENVELOPE_AMBIGUOUS' });
  expect((await read(beside, { items: '{}[]' })).records).toHaveLength(20);
});

describe('a listing that was locked yesterday', () => {
  const plain = () => ({ items: ALL, version: '1.0' });

  test('and has one more idle member today is read whole', async () => {
    const { end } = await read(plain);
    const today = await read(() => ({ ...plain(), region: 'eu', flinuv: 12 }), {}, end.dialect);
    expect(today.end).toMatchObject({ outcome: 'ok', message: null });
    expect(today.end.dialect?.beside).toContain('flinuv');
  });

  test.each([{ flinuv: true }, { flinuv: 'bzo0' }, { flinuv: '/x?y=2' }, { hasMore: true }, { total: 40 }])(
    'and has %o more today is asked about',
    async (member) => {
      const { end } = await read(plain);
      const today = await read(() => ({ ...plain(), ...member }), {}, end.dialect);
      expect(today.end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
    },
  );
});

describe('`partial: true` of numbered pages', () => {
  const paging = 'page:page=1';
  const pages =
    (says: (page: number) => object): Answer =>
    ({ query }) => ({ items: from(SIZE * pageOf(query)), ...says(pageOf(query)) });

  test('is about pages where it is true on each but the last', async () => {
    const { end } = await read(
      pages((page) => ({ partial: page < 2 })),
      { paging },
    );
    expect(end).toMatchObject({ outcome: 'ok', items: COUNT, message: null });
  });

  test.each([
    ['only the first page has the member', (page: number) => (page === 0 ? { partial: true } : {})],
    ['a page that others follow takes it back', (page: number) => ({ partial: page === 0 })],
    ['the last page says it too', () => ({ partial: true })],
    ['a later page alone says it', (page: number) => ({ partial: page === 1 })],
  ])('is a failure where %s', async (_, says) => {
    const { end } = await read(pages(says), { paging });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'API_ERROR' });
    expect(end.question?.cures).toEqual([
      { setting: 'resources.players.ignore', choices: [['partial']], when: 'it tells no failure' },
    ]);
    const ignored = await read(pages(says), { paging, ignore: ['partial'] });
    expect(ignored.end).toMatchObject({ outcome: 'ok', items: COUNT });
  });
});

describe('screens of one player, cut at 7, where unknown parameters are filters', () => {
  const CUT = 7;
  const ofScreens = async (says: Answer, count: number) => {
    await using server = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://localhost').searchParams;
      const beside = says({ query, response });
      const items = query.size > 0 ? [] : records(0, Math.min(count, CUT));
      json(response, JSON.stringify({ items, ...Object(beside) }));
    });
    return { ...(await fetchFrom(server.url, 'screens')), calls: server.calls.length };
  };

  test.each<readonly [string, Answer]>([
    ['that says how large its pages are', () => ({ offset: 0, pageSize: CUT })],
    [
      'with a link of a relation that nobody knows',
      ({ query, response }) => {
        if (query.size === 0) response.setHeader('link', '<?p=2>; rel="https://rels.example/older"');
        return { pageSize: 100 };
      },
    ],
  ])('an answer %s is asked about', async (_, says) => {
    const { end } = await ofScreens(says, COUNT);
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  });

  // A size that only the first answer declares proves no end: the server may give fewer.
  test('a page that is less full than it says, and whose offset nobody reads, is asked about', async () => {
    const { end } = await ofScreens(() => ({ offset: 0, pageSize: 100 }), 5);
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  });
});

describe('screens of players, where unknown parameters are filters', () => {
  const ofScreens = async (count: number, shown: Shown) => {
    await using server = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://localhost').searchParams;
      const offset = Number(query.get('offset') ?? 0);
      const isRead = [...query.keys()].every((name) => name === 'offset');
      const items = isRead ? records(offset, Math.min(offset + 4, count)) : [];
      json(response, JSON.stringify({ items, paging: { offset: String(offset), pageSize: '100' } }));
    });
    const { end } = await fetchFrom(server.url, 'screens', { shown });
    return { end, calls: server.calls.length };
  };

  test('are whole by the offset that the page says, though its size names a page', async () => {
    expect((await ofScreens(11, createShown())).end).toMatchObject({ outcome: 'ok', items: 11 });
  });

  test('cost one more call until a player has shown that the parameter is read', async () => {
    const shown = createShown();
    const calls = [];
    for (let player = 0; player < 3; player++) calls.push((await ofScreens(3, shown)).calls);
    expect(calls).toEqual([3, 2, 2]);
  });
});

describe('what leads on by a word that nobody knows is asked about, wherever it stands', () => {
  const CUT = 18;
  const leading =
    (says: object): Answer =>
    () => ({ players: records(0, CUT), ...says });
  const older = '/gv2/webservices/API/v1.12/Players?ab=18';
  const LEADS: Readonly<Record<string, object>> = {
    'a list of links': {
      links: [
        { rel: 'self', href: older.split('?')[0] },
        { rel: 'older', href: older },
      ],
    },
    'a list with one link': { links: [{ rel: 'weiter', href: older }] },
    'a list of links by type and url': { links: [{ type: 'plus', url: older }] },
    'a token of the server': { server: { weiterAb: 'azoxOA' } },
    'a token in the object of the call': { request: { id: 'b2f8d3aa11', weiterAb: 'azoxOA' } },
    'a flag below the server': { meta: { server: { abruf: { nochWas: true } } } },
    'a name with a known word and another': { serverMarke: 'azoxOA' },
  };

  test.each(Object.entries(LEADS))('%s', async (_, says) => {
    const { end } = await read(leading(says));
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  });

  test('a header', async () => {
    const { end } = await read(({ response }) => {
      response.setHeader('x-server-marke', 'azoxOA');
      return { players: records(0, CUT) };
    });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  });

  test('a link of a list is followed where the setting says so, and is asked about where it is new', async () => {
    const pages: Answer = ({ query }) => {
      const start = at(query, 'ab');
      const links = start + SIZE < COUNT ? [{ rel: 'older', href: `?ab=${start + SIZE}` }] : [];
      return { players: from(start), links: [{ rel: 'self', href: '?' }, ...links] };
    };
    const { end, records: came } = await read(pages, { paging: 'next@links.older' });
    expect(end).toMatchObject({ outcome: 'ok', message: null });
    expect(came).toEqual(ALL);
    const whole = await read(() => ({ players: ALL, links: [{ rel: 'self', href: '?' }] }));
    expect(whole.end).toMatchObject({ outcome: 'ok', message: null });
    const cut = await read(pages, {}, whole.end.dialect);
    expect(cut.end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  });
});

describe('a member that the config has answered, and that turns', () => {
  const day =
    (says: object, count: number): Answer =>
    () => ({ lecteurs: records(0, count), ...says });
  const TURNS: readonly (readonly [string, Settings, object, object])[] = [
    ['a flag that is ignored', { ignore: ['complet'] }, { complet: true }, { complet: false }],
    ['a flag, where one answer is all', { paging: 'none' }, { complet: true }, { complet: false }],
    ['words for yes and no', { ignore: ['ganz'] }, { ganz: 'Y' }, { ganz: 'N' }],
    ['a number that was 0', { paging: 'none' }, { weggelassen: 0 }, { weggelassen: 8 }],
  ];

  test.each(TURNS)('%s: nothing is removed for it, until complete says that it is whole', async (...turn) => {
    const [, answers, before, now] = turn;
    const settings = { items: 'lecteurs', ...answers };
    const first = await read(day(before, 27), settings);
    expect(first.end).toMatchObject({ outcome: 'ok', errorCode: null, message: null });
    const lock = first.end.dialect;
    expect((await read(day(before, 26), settings, lock)).end.message).toBeNull();
    const turned = await read(day(now, 21), settings, lock);
    expect(turned.records).toHaveLength(21);
    expect(turned.end).toMatchObject({
      outcome: 'ok',
      dialect: { isCapSuspected: true },
      question: { cures: [{ setting: 'resources.players.complete', choices: [true] }] },
    });
    // What is in question is not known tomorrow.
    const again = await read(day(now, 21), settings, turned.end.dialect);
    expect(again.end.question).toBeDefined();
    const declared = await read(day(now, 21), { ...settings, complete: true }, lock);
    expect(declared.end).toMatchObject({ outcome: 'ok', message: null });
    expect((await read(day(now, 21), settings, declared.end.dialect)).end.message).toBeNull();
  });
});
