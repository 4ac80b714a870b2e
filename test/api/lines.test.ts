import type { OutgoingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { fetchFrom, serve } from './support/serve.ts';

interface Page {
  readonly ids: readonly number[];
  readonly headers?: OutgoingHttpHeaders;
}

/** Pages of an object a line, by the text of `cursor` or `page`; the first is that of no text. */
async function read(pages: Readonly<Record<string, Page>>, settings: object = {}, listing = 'players') {
  await using server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const { ids, headers } = pages[query.get('cursor') ?? query.get('page') ?? ''] ?? { ids: [] };
    response.writeHead(200, { 'content-type': 'application/x-ndjson', ...headers });
    response.end(ids.map((Id) => `${JSON.stringify({ Id, Name: `P${Id}` })}\n`).join(''));
  });
  const own = { columns: {}, drop: [], mask: [], items: '$lines', ...settings };
  return await fetchFrom(server.url, listing === 'players' ? 'players' : 'screens', {
    source: { resources: { [listing]: own } },
  });
}

describe('a listing of an object a line', () => {
  test('without a line has no records', async () => {
    const { end } = await read({});
    expect(end).toMatchObject({ outcome: 'empty', items: 0, message: null });
  });

  test('goes on behind a page of one line', async () => {
    const { end } = await read({
      '': { ids: [1], headers: { 'x-next-cursor': 'b' } },
      b: { ids: [2], headers: { 'x-next-cursor': 'c' } },
      c: { ids: [3] },
    });
    expect(end).toMatchObject({ outcome: 'ok', items: 3, pages: 3, message: null });
  });

  test('ends with a page without a line', async () => {
    const pages = { '1': { ids: [1, 2] }, '2': { ids: [3, 4] } };
    const { end } = await read(pages, { paging: 'page:page=1' });
    expect(end).toMatchObject({ outcome: 'ok', items: 4, message: null });
  });
});
