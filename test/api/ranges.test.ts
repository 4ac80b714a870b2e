import { expect, test } from 'vitest';
import { fetchFrom, json, serve } from './support/serve.ts';

/** HTTP 206 with the numbers of the records: the next ones are requested with `range=20-39`. */
async function read(count: number, settings: object = {}) {
  await using server = await serve((request, response) => {
    const range = new URL(request.url ?? '', 'http://localhost').searchParams.get('range') ?? '0-19';
    const [from = 0, to = 0] = range.split('-').map(Number);
    const last = Math.min(to, from + 19, count - 1);
    const items = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => ({ Id: from + index }));
    const isAll = items.length === count;
    response
      .writeHead(isAll ? 200 : 206, {
        'content-type': 'application/json',
        'content-range': `items ${from}-${last}/${count}`,
      })
      .end(JSON.stringify(items));
  });
  const players = { columns: {}, drop: [], mask: [], ...settings };
  const { end } = await fetchFrom(server.url, 'players', { source: { resources: { players } } });
  return {
    end,
    ranges: server.calls.map(({ url }) => new URL(url ?? '', 'http://x').searchParams.get('range')),
  };
}

test('34 records in ranges of 20 are whole', async () => {
  const { end, ranges } = await read(34);
  expect(end).toMatchObject({ outcome: 'ok', items: 34, message: null, contract: { paging: 'range:range' } });
  expect(ranges).toEqual([null, '20-39']);
});

test('the setting says so too', async () => {
  const { end } = await read(41, { paging: 'range' });
  expect(end).toMatchObject({ outcome: 'ok', items: 41, message: null });
});

test('one answer with all records needs no range', async () => {
  const { end } = await read(7);
  expect(end).toMatchObject({ outcome: 'ok', items: 7, message: null });
});

/** Six players next to a member. */
async function beside(member: object) {
  const data = Array.from({ length: 6 }, (_, index) => ({ Id: index + 1 }));
  await using server = await serve((_, response) => json(response, JSON.stringify({ ...member, data })));
  return (await fetchFrom(server.url, 'players')).end;
}

test('the digits of an id are no range of records', async () => {
  const end = await beside({ header: { MessageId: 'b1a6-77' } });
  expect(end).toMatchObject({ outcome: 'ok', items: 6, message: null });
});

test.each(['1 bis 6 von 77', 'items 1-6/77', '(1-6 of 77)'])('the numbers of %s are', async (shown) => {
  expect(await beside({ shown })).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('77'),
  });
});
