import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createApiClient } from '#lib/api/client.ts';
import { API_KEY, askOnce, BOUNDS, clientOf, json, serve, sourceAt, TARGET } from './support/serve.ts';

describe('headers', () => {
  test.each([
    ['apiKey', 'signage', { apiKey: 'key-12345678' }, 'x-apikey', 'key-12345678'],
    ['sessionId', 'signage', { sessionId: 'session-1234' }, 'x-session-id', 'session-1234'],
    ['accessToken', 'backup', { accessToken: 'token-123456' }, 'authorization', 'Bearer token-123456'],
  ] as const)('%s of a %s source goes as a header of its own', async (_, kind, secret, header, value) => {
    await using server = await serve((_request, response) => json(response, '[]'));
    await using client = clientOf(sourceAt(server.url, { kind }), { secrets: { read: async () => secret } });
    await client.get({ path: '/a', query: { account_id: '10&42' } }, BOUNDS);
    const [call] = server.calls;
    expect(call).toMatchObject({ method: 'GET', url: '/a?account_id=10%2642' });
    const accept = 'application/json, application/*;q=0.5';
    expect(call?.headers).toMatchObject({ accept, [header]: value, 'user-agent': 'signage-export' });
  });

  test('a server with another name for JSON is asked in one call', async () => {
    const { reply } = await askOnce((request, response) => {
      if (!request.headers.accept?.includes('application/*')) response.writeHead(406).end('{"errors": []}');
      else json(response, '[{}]', { 'content-type': 'application/vnd.api+json' });
    });
    expect(reply).toMatchObject({ kind: 'answer', attempts: 1 });
  });
});

describe('bodies come decompressed', () => {
  const text = JSON.stringify([{ Id: 1, Name: 'ü'.repeat(5000) }]);
  const asked = async (encoding: string, bytes: Buffer) =>
    (await askOnce((_request, response) => json(response, bytes, { 'content-encoding': encoding }))).reply;

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('%s, and one that is cut short is no answer', async (encoding, compress) => {
    const bytes = compress(Buffer.from(text));
    const body = { bytes: Buffer.byteLength(text) };
    expect(await asked(encoding, bytes)).toMatchObject({ kind: 'answer', body });
    const cut = bytes.subarray(0, bytes.length - 9);
    expect(await asked(encoding, cut)).toMatchObject({ code: 'BODY_TRUNCATED', attempts: 5 });
  });

  test('a bomb is stopped at the bound of the decoded body', async () => {
    const reply = await asked('gzip', gzipSync(Buffer.alloc(50_000_000, 0x20)));
    expect(reply).toMatchObject({ outcome: 'failed', code: 'BODY_TOO_LARGE', attempts: 1 });
  });

  test('a length beyond the bound is refused before it comes', async () => {
    const { reply } = await askOnce((_request, response) => {
      response.writeHead(200, { 'content-length': '9000000' });
      response.write('[');
    });
    expect(reply).toMatchObject({ code: 'BODY_TOO_LARGE', attempts: 1 });
  });
});

describe('redirects', () => {
  test('within the origin are followed', async () => {
    const { reply, calls } = await askOnce((request, response) => {
      if (request.url === '/x') response.writeHead(301, { location: '/y?a=1' }).end();
      else json(response, '[]');
    });
    expect(reply).toMatchObject({ kind: 'answer', attempts: 2 });
    expect(calls.map(({ url }) => url)).toEqual(['/x', '/y?a=1']);
    expect(calls[1]?.headers['x-apikey']).toBe(API_KEY);
  });

  test('to another origin are refused, and the key does not go there', async () => {
    await using other = await serve((_request, response) => json(response, '[]'));
    const { reply } = await askOnce((_request, response) =>
      response.writeHead(302, { location: `${other.url}/x` }).end(),
    );
    const refused = { outcome: 'failed', code: 'REDIRECT_REFUSED' };
    expect(reply).toMatchObject({ ...refused, status: 302, attempts: 1 });
    expect(other.calls).toEqual([]);
  });

  test('that go round and round end after five', async () => {
    const { reply } = await askOnce((_request, response) =>
      response.writeHead(302, { location: '/x' }).end(),
    );
    expect(reply).toMatchObject({ code: 'HTTP_3XX', attempts: 6 });
  });
});

test('a secret that cannot be kept out of what is stored stops the source', async () => {
  await using server = await serve((_request, response) => json(response, '[]'));
  const secrets = { read: async () => ({ apiKey: 'short' }) };
  await using client = clientOf(sourceAt(server.url), { secrets });
  await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'SECRET_INVALID' });
  expect(server.calls).toEqual([]);
});

test('the clock of the machine works as the injected one does', async () => {
  await using server = await serve((_request, response) => json(response, '[]'));
  const source = sourceAt(server.url, { requestsPerSecond: 100 });
  const secrets = { read: async () => ({ apiKey: API_KEY }) };
  const clock = { now: () => new Date(), random: Math.random, timeLeft: () => 10_000 };
  const client = createApiClient({ source, secrets, ...clock });
  const begun = performance.now();
  await Promise.all(Array.from({ length: 9 }, () => client.get(TARGET, BOUNDS)));
  await client.close();
  // Nine calls at 100 a second take 80 ms, 50 of which may be caught up.
  expect(performance.now() - begun).toBeGreaterThan(28);
});
