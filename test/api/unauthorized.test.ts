import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { someOf } from '../support/some-of.ts';
import { BOUNDS, clientOf, json, serve, sourceAt } from './support/serve.ts';

/** A server that knows one key at a time, and some paths that refuse every key. */
function guarded(options: { key: string; refused?: readonly string[] }) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const { key, refused = [] } = options;
    const wrong = request.headers['x-apikey'] !== key || refused.some((path) => request.url?.includes(path));
    if (wrong) response.writeHead(401).end('{"Message":"Authorization has been denied for this request."}');
    else json(response, '[]');
  };
}

/** A secret store with a cache that only `fresh` passes by. */
function store(current: () => string) {
  let cached: string | null = null;
  const reads: boolean[] = [];
  return {
    reads,
    read: async (_name: string, { fresh = false } = {}) => {
      reads.push(fresh);
      await new Promise((resolve) => setImmediate(resolve));
      if (fresh || cached === null) cached = current();
      return { apiKey: cached };
    },
  };
}

const target = (id: number) => ({ path: `/Players/${id}/Screens`, query: {} });

test('a key that is rotated under 30 calls costs one reading and no item', async () => {
  const access = { key: 'old-key-12345' };
  await using server = await serve(guarded(access));
  const secrets = store(() => access.key);
  await using client = clientOf(sourceAt(server.url, { concurrency: 30 }), { secrets });
  expect(await client.get(target(0), BOUNDS)).toMatchObject({ kind: 'answer' });
  access.key = 'new-key-67890';
  const replies = await Promise.all(Array.from({ length: 30 }, (_, id) => client.get(target(id), BOUNDS)));
  expect(replies.map(({ kind }) => kind)).toEqual(replies.map(() => 'answer'));
  expect(secrets.reads).toEqual([false, true]);
  expect(server.calls).toHaveLength(61);
});

test('a key that is refused everywhere stops the source, and 1,000 players are not tried', async () => {
  await using server = await serve(guarded({ key: 'the-right-one' }));
  const secrets = store(() => 'a-wrong-key-1');
  await using client = clientOf(sourceAt(server.url, { concurrency: 8 }), { secrets });
  const calls = Array.from({ length: 1000 }, (_, id) => client.get(target(id), BOUNDS));
  const refusal = { status: 'rejected', reason: { code: 'SOURCE_UNAUTHORIZED' } };
  for (const end of someOf(await Promise.allSettled(calls))) expect(end).toMatchObject(refusal);
  expect(client.refused()).toMatchObject({ code: 'SOURCE_UNAUTHORIZED' });
  // Eight at once, each again with the new reading, and three listings as a probe.
  expect(server.calls.length).toBeLessThanOrEqual(8 + 8 + 3);
  expect(secrets.reads).toEqual([false, true]);
});

describe('a record that refuses a key which works elsewhere is denied', () => {
  test('though it is the first that is asked for', async () => {
    await using server = await serve(guarded({ key: 'right-key-123', refused: ['/Players/7/'] }));
    await using client = clientOf(sourceAt(server.url), { secrets: store(() => 'right-key-123') });
    const denied = { outcome: 'denied', code: 'UNAUTHORIZED', status: 401, attempts: 2 };
    expect(await client.get(target(7), BOUNDS)).toMatchObject(denied);
    expect(await client.get(target(8), BOUNDS)).toMatchObject({ kind: 'answer' });
    expect(client.refused()).toBeUndefined();
  });

  test('and 100 of them do not cost 100 readings of the secret', async () => {
    await using server = await serve(guarded({ key: 'right-key-123', refused: ['Screens'] }));
    const secrets = store(() => 'right-key-123');
    await using client = clientOf(sourceAt(server.url), { secrets });
    for (let id = 0; id < 100; id += 1)
      expect(await client.get(target(id), BOUNDS)).toMatchObject({ outcome: 'denied' });
    expect(secrets.reads.length).toBeLessThan(5);
  });

  test('a listing whose scope the key lacks, too', async () => {
    await using server = await serve(guarded({ key: 'right-key-123', refused: ['/AppGroups'] }));
    await using client = clientOf(sourceAt(server.url), { secrets: store(() => 'right-key-123') });
    const reply = await client.get({ path: '/gv2/webservices/API/v1.12/AppGroups', query: {} }, BOUNDS);
    expect(reply).toMatchObject({ outcome: 'denied', code: 'UNAUTHORIZED' });
  });
});

test('a key that is revoked later stops the source, though it worked before', async () => {
  const access = { key: 'right-key-123' };
  await using server = await serve(guarded(access));
  await using client = clientOf(sourceAt(server.url), { secrets: store(() => 'right-key-123') });
  await client.get(target(1), BOUNDS);
  access.key = 'another-key-1';
  await expect(client.get(target(2), BOUNDS)).rejects.toMatchObject({ code: 'SOURCE_UNAUTHORIZED' });
});

test.each([
  [500, 'HTTP_401', false],
  [503, 'HTTP_401', false],
  // A path that is wrong says nothing about the key.
  [404, 'SOURCE_UNAUTHORIZED', true],
])('a listing with 401 among others with %i: %s, a stop: %s', async (other, code, isRefused) => {
  await using server = await serve((request, response) =>
    response.writeHead(/Screens|Licenses/.test(request.url ?? '') ? 401 : other).end(),
  );
  await using client = clientOf(sourceAt(server.url), { secrets: store(() => 'right-key-123') });
  const end = await client.get(target(1), BOUNDS).catch((error: unknown) => error);
  expect(end).toMatchObject({ code });
  expect(client.refused() !== undefined).toBe(isRefused);
});

test('a store that cannot be read stops the source with its own error', async () => {
  await using server = await serve(guarded({ key: 'right-key-123' }));
  const read = async () => Promise.reject(new Error('no such secret'));
  await using client = clientOf(sourceAt(server.url), { secrets: { read } });
  await expect(client.get(target(1), BOUNDS)).rejects.toThrow('no such secret');
  expect(server.calls).toEqual([]);
});

test('no key in any error, however the server echoes it', async () => {
  await using server = await serve((request, response) => {
    const key = String(request.headers['x-apikey']);
    const status = Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 401);
    const echoed = { location: `http://127.0.0.1:1/${key}`, 'www-authenticate': key };
    response.writeHead(status, { 'content-type': 'application/json', ...echoed });
    response.end(`{"Message":"Failed for ${key}","result":"${key}"}`);
  });
  for (const status of [200, 302, 400, 401, 403, 404, 500]) {
    await using client = clientOf(sourceAt(server.url), { secrets: store(() => 'echoed-key-4711') });
    const end = await client.get({ path: `/${status}`, query: {} }, BOUNDS).catch((error: unknown) => error);
    const said = `${JSON.stringify(end)} ${end instanceof Error ? `${end.message} ${end.stack} ${String(end.cause)}` : ''}`;
    expect(said).not.toContain('echoed-key');
  }
});
