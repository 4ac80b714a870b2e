import { describe, expect, test } from 'vitest';
import { fetchFrom, json, serve } from './support/serve.ts';

/* What APIs in use say beside their records, and what a question about it offers. */

const records = (count: number, from = 0) =>
  Array.from({ length: Math.max(0, count) }, (_, at) => ({
    Id: from + at + 1,
    Name: `Player ${from + at + 1}`,
  }));

async function read(
  answer: (query: URLSearchParams) => { body: unknown; headers?: Record<string, string> },
  { settings = {}, listing = 'players' }: { settings?: object; listing?: 'players' | 'screens' } = {},
) {
  await using server = await serve((request, response) => {
    const { body, headers = {} } = answer(new URL(request.url ?? '', 'http://localhost').searchParams);
    json(response, JSON.stringify(body), headers);
  });
  const own = { columns: {}, drop: [], mask: [], ...settings };
  return (await fetchFrom(server.url, listing, { source: { resources: { [listing]: own } } })).end;
}

describe('`empty`', () => {
  const slice = (count: number, empty: unknown) => () => ({ body: { data: records(count), empty } });

  test('says nothing where the records say the same', async () => {
    expect(await read(slice(0, true), { listing: 'screens' })).toMatchObject({
      outcome: 'empty',
      message: null,
    });
    expect(await read(slice(7, false), { listing: 'screens' })).toMatchObject({
      outcome: 'ok',
      message: null,
    });
    const none = { listing: 'screens', settings: { paging: 'none' } } as const;
    expect(await read(slice(7, false), none)).toMatchObject({ outcome: 'ok', message: null });
  });
});

test.each(['b1a6-77', 'c9a1d2e3-0000-4444-8888-1234567890ab'])(
  'the digits of the id %s are no range of records',
  async (MessageId) => {
    const answer = () => ({ body: { header: { MessageId }, data: records(6) } });
    expect(await read(answer)).toMatchObject({ outcome: 'ok', items: 6, message: null });
  },
);

test.each([
  ['1 bis 6 von 77', 77],
  ['items 1-6/77', 77],
  ['(1-6 of 77)', 77],
])('the numbers of %s are', async (shown, total) => {
  const end = await read(() => ({ body: { shown, data: records(6) } }));
  expect(end).toMatchObject({ outcome: 'failed' });
  expect(end.message).toContain(String(total));
});

test('a length that is the number of records is no page, as a size is none', async () => {
  const all = await read(() => ({ body: { result: { length: 6, records: records(6) } } }));
  expect(all).toMatchObject({ outcome: 'ok', items: 6, message: null });
});

describe('a token whose parameter is not what its name suggests', () => {
  const pages = (name: string, param: string) => (query: URLSearchParams) => {
    const from = Number(/\d+/.exec(query.get(param) ?? 't0')?.[0]);
    return {
      body: { data: records(Math.min(20, 57 - from), from), ...(from < 37 && { [name]: `t${from + 20}` }) },
    };
  };

  test.each([
    ['nextPageToken', 'nextPageToken'],
    ['NextMarker', 'Marker'],
    ['next_cursor', 'next_cursor'],
  ])('%s is requested as %s', async (name, param) => {
    expect(await read(pages(name, param))).toMatchObject({ outcome: 'ok', items: 57, message: null });
    const settings = { paging: `cursor:${param}@${name}` };
    expect(await read(pages(name, param), { settings })).toMatchObject({
      outcome: 'ok',
      items: 57,
      message: null,
    });
  });
});

test('a word of figures on each page of a listing that is whole says nothing', async () => {
  const end = await read((query) => {
    const from = Number(query.get('at') ?? 0);
    const next = `</gv2/webservices/API/v1.12/Players?at=${from + 20}>; rel="next"`;
    const headers = { 'x-shop-call-limit': '1/40', ...(from < 37 && { link: next }) };
    return { body: records(Math.min(20, 57 - from), from), headers };
  });
  expect(end).toMatchObject({ outcome: 'ok', items: 57, message: null });
});

test('a next link behind the last record, on a page that declares as many as came, is the end', async () => {
  const end = await read((query) => {
    const at = Number(query.get('offset') ?? 0);
    return {
      body: { data: records(Math.min(20, 57 - at), at), links: { next: `?offset=${at + 20}` }, total: 57 },
    };
  });
  expect(end).toMatchObject({ outcome: 'ok', items: 57, message: null });
});

test('a cursor that the setting names ends where it is 0', async () => {
  const answer = (query: URLSearchParams) => {
    const from = Number(query.get('od') ?? 1) - 1;
    return { body: { data: records(Math.min(20, 57 - from), from), kolejny: from < 37 ? from + 21 : 0 } };
  };
  const settings = { paging: 'cursor:od@kolejny' };
  expect(await read(answer, { settings })).toMatchObject({ outcome: 'ok', items: 57, message: null });
});

test('a total that is not the number of records may be ignored', async () => {
  const body = { slots: { total: 5 }, data: records(6) };
  const { errorCode, question } = await read(() => ({ body }));
  expect(errorCode).toBe('TOTAL_MISMATCH');
  const cure = question?.cures.find(({ setting }) => setting.endsWith('.ignore'));
  expect(cure?.choices).toEqual([['slots.total']]);
  expect(await read(() => ({ body }), { settings: { ignore: cure?.choices[0] } })).toMatchObject({
    outcome: 'ok',
  });
});

test('of the numbers in an object of pages, only one that is called a number is the page', async () => {
  const answer = (pageInfo: object) => () => ({ body: { pageInfo, data: records(7) } });
  const { question } = await read(answer({ incomplete_results: 1 }));
  expect(question?.cures[0]?.choices).toEqual([['pageInfo.incomplete_results']]);
});

test('beside the token of this page, the other one leads on', async () => {
  const answer = (query: URLSearchParams) => {
    const marker = query.get('marker') ?? '';
    const from = Number(marker.slice(1));
    const next = from < 37 ? { NextMarker: `t${from + 20}` } : {};
    return {
      body: { marker, data: records(Math.min(20, 57 - from), from), IsTruncated: from < 37, ...next },
    };
  };
  expect(await read(answer)).toMatchObject({ outcome: 'ok', items: 57, message: null });
});

test('a token that never changes is followed, and found to lead nowhere', async () => {
  const answer = () => ({ body: { scroll_id: 'c2Nyb2xs', data: records(20) } });
  expect(await read(answer)).toMatchObject({ outcome: 'failed' });
});

test('a list that is empty in each entry holds no records: the one filled object is the record', async () => {
  const hits = records(6).map((document) => ({ document, highlight: {}, highlights: [] }));
  const { question } = await read(() => ({ body: { found: 6, hits } }));
  expect(question?.cures[0]).toMatchObject({ choices: ['hits[].document{1}'] });
  const settings = { items: 'hits[].document{1}' };
  expect(await read(() => ({ body: { found: 6, hits } }), { settings })).toMatchObject({
    outcome: 'ok',
    items: 6,
  });
});

describe('what the config says of another listing of the source', () => {
  const elsewhere = { players: { items: 'page.inhalt', paging: 'cursor:after@last:id' } };
  const readBeside = async (body: object) => {
    await using server = await serve((_, response) => json(response, JSON.stringify(body)));
    const resources = Object.fromEntries(
      Object.entries(elsewhere).map(([name, own]) => [name, { columns: {}, drop: [], mask: [], ...own }]),
    );
    return (await fetchFrom(server.url, 'screens', { source: { resources } })).end.question;
  };

  test('is offered for an empty list in the same place, and is likely', async () => {
    const question = await readBeside({ page: { inhalt: [] }, notes: [] });
    expect(question?.cures[0]).toMatchObject({
      setting: 'resources.screens.items',
      choices: ['page.inhalt'],
      isLikely: true,
    });
    const other = await readBeside({ liste: [], pageable: { sort: {} } });
    expect(other?.cures.flatMap(({ choices }) => choices)).toEqual([]);
  });
});
