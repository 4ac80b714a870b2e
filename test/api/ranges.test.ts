import { expect, test } from 'vitest';
import { fetchFrom, serve } from './support/serve.ts';

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
