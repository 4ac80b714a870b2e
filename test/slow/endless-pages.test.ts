import { expect, it } from 'vitest';
import { fetchFrom, json, serve } from '../api/support/serve.ts';

it('pages that never end and never repeat end at the cap', async () => {
  let served = 0;
  await using server = await serve((_, response) => {
    served += 1;
    json(response, JSON.stringify({ items: [{ Id: served }], cursor: String(served) }));
  });
  const { end } = await fetchFrom(server.url, 'players');
  expect(end).toMatchObject({ outcome: 'failed', errorCode: 'PAGING_ENDLESS' });
  expect(served).toBe(10_000);
});
