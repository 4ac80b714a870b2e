import { expect, it } from 'vitest';
import { fetchFrom, json, serve } from './support/serve.ts';

it('a look at the first page by its offset that brings a web page once costs a player none of its screens', async () => {
  let looks = 0;
  await using server = await serve((request, response) => {
    const skip = new URL(request.url ?? '', 'http://localhost').searchParams.get('skip');
    if (skip === '0' && ++looks === 1) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>busy</html>');
      return;
    }
    const items = skip === null || skip === '0' ? [{ Id: 1 }, { Id: 2 }] : [];
    json(response, JSON.stringify({ items, skip: Number(skip ?? 0) }));
  });
  const { end } = await fetchFrom(server.url, 'screens');
  expect(end).toMatchObject({ outcome: 'ok', items: 2 });
  expect(looks).toBe(2);
});
