import { describe, expect, test } from 'vitest';
import { createShown, type Shown } from '#lib/api/shown.ts';
import { someOf } from '../support/some-of.ts';
import { fetchFrom, json, serve } from './support/serve.ts';

/** How many screens a plain call gives at most, and one with a page's number. */
const PLAIN = 8;
const BY_NUMBER = 10;
const LOOKS_AT_MOST = 10;
const records = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ Id: from + index + 1 }));

/** The screens of a player who has so many, from a server that names no further page and refuses the one behind the last. */
async function screensOf(count: number, shown: Shown) {
  await using server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const asked = query.get('page');
    const from = (Number(asked ?? 1) - 1) * BY_NUMBER;
    const items = records(from, Math.min(count, from + (asked === null ? PLAIN : BY_NUMBER)));
    if (from > 0 && items.length === 0) response.writeHead(404).end();
    else json(response, JSON.stringify({ items, page: Number(asked ?? 1) }));
  });
  const { end } = await fetchFrom(server.url, 'screens', { shown });
  return { end, urls: server.calls };
}

describe('screens of players on one page each, of which a plain call gives less than a page has', () => {
  test.each([[[1, 9]], [[3, 8, 10]], [[8, 8, 8, 9, 8]], [[2, 5, 9, 9]]])(
    'players with %j screens are whole or asked about',
    async (counts) => {
      const shown = createShown();
      for (const count of someOf(counts)) {
        const { end } = await screensOf(count, shown);
        if (count <= PLAIN) expect(end).toMatchObject({ outcome: 'ok', items: count });
        else expect(end.message).toMatch(/Set resources\.screens\.paging to "page:page=1"/);
      }
    },
  );

  test('only the longest are asked for by their number, and no more than ten of the same length', async () => {
    const shown = createShown();
    const looks: number[] = [];
    for (const count of [1, 4, 3, 4, ...Array.from({ length: 12 }, () => 5), 4])
      looks.push((await screensOf(count, shown)).urls.length - 2);
    expect(looks).toEqual([0, 1, 0, 1, ...Array.from({ length: LOOKS_AT_MOST }, () => 1), 0, 0, 0]);
  });
});
