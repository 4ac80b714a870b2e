import { expect, it } from 'vitest';
import { startFixtureServer } from '#simulator/fixture-server.ts';

it('serves given bodies byte for byte, by path with query before path alone', async () => {
  const odd = Buffer.from([0xef, 0xbb, 0xbf, 0x5b, 0x5d]);
  const server = await startFixtureServer({
    routes: {
      '/a': { body: odd },
      '/a?page=2': { status: 503, headers: { 'retry-after': '7' }, body: 'later' },
      '/b': (request) => ({ body: JSON.stringify(request.headers['x-apikey'] ?? null) }),
    },
  });
  const bytes = async (path: string) => Buffer.from(await (await fetch(server.url + path)).arrayBuffer());
  expect(await bytes('/a')).toEqual(odd);
  expect(await bytes('/a?page=1')).toEqual(odd);
  const second = await fetch(`${server.url}/a?page=2`);
  expect([second.status, second.headers.get('retry-after'), await second.text()]).toEqual([
    503,
    '7',
    'later',
  ]);
  const echoed = await fetch(`${server.url}/b`, { headers: { 'x-apikey': 'k' } });
  expect(await echoed.json()).toBe('k');
  expect((await fetch(`${server.url}/c`)).status).toBe(404);
  expect(server.requests.map((request) => request.path)).toEqual([
    ...'/a /a?page=1 /a?page=2 /b /c'.split(' '),
  ]);
  await server.close();
});
