import { expect, test } from 'vitest';
import { fetchPages, number, slice } from './support/pages.ts';

/* Later pages that a server refuses: it may have no such page, or not give it. */

const SIZE = 20;

async function read(count: number, status: number, settings: object = {}) {
  const { end } = await fetchPages(
    ({ query, response }) => {
      const page = number(query, 'page', 1);
      if (page > 2) response.writeHead(status).end('{"message":"Only the first results are available"}');
      return { items: slice((page - 1) * SIZE, SIZE, count), page };
    },
    { ...settings },
  );
  return end;
}

test.each([400, 416, 422])('behind full pages alone, %i may mean that more is not given', async (status) => {
  const { question } = await read(2 * SIZE, status);
  expect(question).toMatchObject({
    code: 'PAGING_UNPROVEN',
    says: `The server refuses page 3 after 2 full pages (HTTP ${status})`,
    cures: [{ setting: 'resources.players.complete', choices: [true] }, {}],
  });
  const right = { outcome: 'ok', items: 2 * SIZE, message: null };
  expect(await read(2 * SIZE, status, { complete: true })).toMatchObject(right);
});

test.each([
  [2 * SIZE - 3, 422],
  [2 * SIZE - 3, 404],
  [2 * SIZE, 410],
])('of %i records in pages of 20, %i is the end', async (count, status) => {
  expect(await read(count, status)).toMatchObject({ outcome: 'ok', items: count, message: null });
});
