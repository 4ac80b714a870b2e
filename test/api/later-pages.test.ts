import { expect, test } from 'vitest';
import { fetchFrom, json, serve } from './support/serve.ts';

/* What a later page has beside its records, or how it is built, and the first one not: it may say why there are no more. */

const records = (from: number) => Array.from({ length: 20 }, (_, at) => ({ Id: from + at, Name: `P ${at}` }));

/** How a listing ends of two pages with 20 players each, and this body as every further one. */
async function endOf(last: unknown, { settings = {}, also = {} } = {}) {
  await using server = await serve((request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://server').searchParams.get('page') ?? 1);
    const body = page <= 2 ? { items: records(page * 20), page, ...also } : last;
    json(response, JSON.stringify(body));
  });
  const players = { columns: {}, drop: [], mask: [], ...settings };
  const { end } = await fetchFrom(server.url, 'players', { source: { resources: { players } } });
  return end;
}

test.each([
  ['code', { code: 'E_WINDOW' }],
  ['limited', { limited: true }],
  ['cursorState', { cursorState: 'expired' }],
  ['pageNote', { pageNote: 'window' }],
  ['kappung', { kappung: 40 }],
  ['grenze', { grenze: { max: 40 } }],
])('%s beside no record is asked about, until it is ignored', async (name, says) => {
  const last = { items: [], page: 3, ...says };
  const end = await endOf(last);
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN', items: 40 });
  expect(end.message).toContain(name);
  const ignored = await endOf(last, { settings: { ignore: [name] } });
  expect(ignored).toMatchObject({ outcome: 'ok', items: 40, message: null });
});

test.each([0, 'OK', 200])(
  'a code that was %j beside records is asked about where it is a word beside none',
  async (code) => {
    const end = await endOf({ items: [], page: 3, code: 'R-17' }, { also: { code } });
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
    expect(await endOf({ items: [], page: 3, code }, { also: { code } })).toMatchObject({ outcome: 'ok' });
  },
);

test('an empty page that is built otherwise is asked about, until complete is said', async () => {
  const end = await endOf([]);
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN', items: 40 });
  expect(end.message).toContain('Page 3 has its records at $, and the first one at items');
  const declared = await endOf([], { settings: { complete: true } });
  expect(declared).toMatchObject({ outcome: 'ok', items: 40, message: null });
});

test.each([
  ['with the number of its page alone', { items: [], page: 3 }],
  ['with the way back', { items: [], page: 3, prev: '/players?page=2', first: '/players?page=1' }],
  [
    'with a title of the link back',
    { items: [], page: 3, links: { prev: { href: '?page=2', title: 'previous page' } } },
  ],
  ['that says that it is empty', { items: [], page: 3, empty: true }],
  ['that counts its records', { items: [], page: 3, count: 0 }],
  ['with fewer members', { items: [] }],
])('an empty page %s is the end', async (_, last) => {
  expect(await endOf(last)).toMatchObject({ outcome: 'ok', items: 40, message: null });
});

test('what the first page has too is no news on the last', async () => {
  const also = { served: 'edge-7', rid: 'a1-4711' };
  const settings = { ignore: ['served', 'rid'] };
  expect(await endOf({ items: [], page: 3, ...also }, { also, settings })).toMatchObject({ outcome: 'ok' });
});

test('a first page by a number that is too low is compared with the listing without it', async () => {
  const all = Array.from({ length: 58 }, (_, at) => ({ Id: at + 1 }));
  await using server = await serve((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://server');
    const start = Number(searchParams.get('start') ?? 1);
    json(response, JSON.stringify({ items: start < 1 ? [] : all.slice(start - 1, start + 19) }));
  });
  const read = async (paging: string) => {
    const players = { columns: {}, drop: [], mask: [], paging };
    return (await fetchFrom(server.url, 'players', { source: { resources: { players } } })).end;
  };
  const end = await read('offset:start');
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN' });
  expect(end.message).toContain('With start=0 there is no record, and without it there are 20');
  const [{ choices: [paging] = [] } = {}] = end.question?.cures ?? [];
  expect(await read(String(paging))).toMatchObject({ outcome: 'ok', items: 58, message: null });
});

test('a listing without any record by its number is empty where it has none without it either', async () => {
  await using server = await serve((_, response) => json(response, '{"items": []}'));
  const players = { columns: {}, drop: [], mask: [], paging: 'offset:start' };
  const { end } = await fetchFrom(server.url, 'players', { source: { resources: { players } } });
  expect(end).toMatchObject({ outcome: 'empty', message: null });
  expect(server.calls.map(({ url }) => new URL(url ?? '', 'http://server').search)).toEqual(['?start=0', '']);
});

test.each([
  ['maxOffset', 'offset'],
  ['max_result_window', 'offset'],
  ['rowLimit', 'page'],
])(
  '%s of as many records as were read on several pages may be the most that the server gives',
  async (name, style) => {
    await using server = await serve((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://server');
      const from =
        style === 'page'
          ? (Number(searchParams.get('page') ?? 1) - 1) * 20
          : Number(searchParams.get('offset') ?? 0);
      const place = style === 'page' ? { page: from / 20 + 1 } : { offset: from };
      json(response, JSON.stringify({ [name]: 40, items: from < 40 ? records(from) : [], ...place }));
    });
    const read = async (settings: object) => {
      const players = { columns: {}, drop: [], mask: [], ...settings };
      return (await fetchFrom(server.url, 'players', { source: { resources: { players } } })).end;
    };
    const end = await read({});
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_UNPROVEN', items: 40 });
    expect(end.message).toContain(`"${name}" (40)`);
    expect(await read({ ignore: [name] })).toMatchObject({ outcome: 'ok', items: 40, message: null });
  },
);
