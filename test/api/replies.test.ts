import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Answer, createApiClient } from '#lib/api/client.ts';
import {
  API_KEY,
  askOnce,
  BOUNDS,
  clientOf,
  json,
  listening,
  serve,
  sourceAt,
  TARGET,
} from './support/serve.ts';

type Headers = Record<string, string>;
const sends =
  (body: string | Buffer, headers: Headers = {}, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
const encodedBy = (encoding: string, headers: Headers = {}) => ({ 'content-encoding': encoding, ...headers });

const TEXT = JSON.stringify([{ Id: 1, Name: 'ü'.repeat(5000) }]);
const WHOLE = { kind: 'answer', body: { bytes: Buffer.byteLength(TEXT) } };
const NOT_ENABLED = '{"message":"API access is not enabled"}';
const DENIED = { outcome: 'denied', code: 'API_NOT_ENABLED' };
const BOMB = gzipSync(Buffer.alloc(50_000_000, 0x20));
const ENCODINGS = [
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
] as const;
const encoded = ENCODINGS.flatMap(([encoding, compress]) => {
  const bytes = compress(Buffer.from(TEXT));
  const cut = sends(bytes.subarray(0, bytes.length - 9), encodedBy(encoding));
  return [
    [encoding, sends(bytes, encodedBy(encoding)), WHOLE],
    [`${encoding} that is cut`, cut, { code: 'BODY_TRUNCATED', attempts: 5 }],
    [`a refusal in ${encoding}`, sends(compress(NOT_ENABLED), encodedBy(encoding), 403), DENIED],
  ] as const;
});
const KLINGON = { 'content-type': 'application/json; charset=klingon' };
const tooLong: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-length': '9000000' }).write('[');
const ended: RequestListener = ({ socket }, response) => {
  response.writeHead(200, { 'content-length': '100' }).write('[{}');
  setImmediate(() => socket.destroy());
};
const FORBIDDEN = { outcome: 'denied', code: 'FORBIDDEN' };
/** It is requested twice, for the same answer came twice. */
const UNUSABLE = { kind: 'refusal', code: expect.stringMatching(/^BODY_NOT_(JSON|TEXT)$/), attempts: 2 };
const SOUND = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const chunks = [`${SOUND}2\r\n[{\r\nzzz\r\n`, `${SOUND}2\r\n[]\r\n0\r\n\r\n`];

const REPLIES: readonly (readonly [what: string, listener: RequestListener, due: object])[] = [
  ...encoded,
  ['a bomb', sends(BOMB, encodedBy('gzip')), { outcome: 'failed', code: 'BODY_TOO_LARGE', attempts: 1 }],
  ['a length beyond the bound, before it comes', tooLong, { code: 'BODY_TOO_LARGE', attempts: 1 }],
  ['a refusal that is a bomb', sends(BOMB, encodedBy('gzip'), 403), FORBIDDEN],
  ['a refusal that is damaged', sends('no gzip', encodedBy('gzip'), 403), FORBIDDEN],
  ['a refusal in an unknown encoding', sends('what is that', encodedBy('compress'), 403), FORBIDDEN],
  ['204 with an encoding', sends('', encodedBy('gzip'), 204), { kind: 'answer', status: 204, body: null }],
  ['205 with an encoding', sends('', encodedBy('gzip'), 205), { kind: 'answer', status: 205, body: null }],
  ['JSON with a comma too many', sends('[{"a":1,}]'), UNUSABLE],
  ['a number that is none', sends('{"a":01}'), UNUSABLE],
  ['no JSON far behind', sends(`{"a":[${'{"Id":1},'.repeat(20_000)}{}] 1}`), UNUSABLE],
  ['other quotes', sends("{'a':1}"), UNUSABLE],
  ['a web page', sends('<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }), UNUSABLE],
  ['JSON in a function', sends('cb([{"Id":1}])'), UNUSABLE],
  ['a picture', sends(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])), UNUSABLE],
  ['an unknown charset', sends(Buffer.from([0xff, 0x41]), KLINGON), UNUSABLE],
  ['an unknown encoding', sends('[]', encodedBy('lzma')), UNUSABLE],
  ['an encoding with a name of JavaScript', sends('[]', encodedBy('constructor')), UNUSABLE],
  ['no gzip', sends('[{"Id":1}]', encodedBy('gzip')), UNUSABLE],
  ['no brotli', sends('[{"Id":1,"Name":"x"}]', encodedBy('br')), UNUSABLE],
  // A proxy spoils it, and the next answer is sound.
  ['a chunk of no size', ({ socket }) => socket.end(chunks.shift() ?? ''), { kind: 'answer', attempts: 2 }],
  ['a redirect in a circle', sends('', { location: '/x' }, 302), { code: 'HTTP_3XX', attempts: 6 }],
  ['a reset', ({ socket }) => socket.resetAndDestroy(), { code: 'CONNECTION_FAILED', attempts: 5 }],
  ['an end inside the body', ended, { code: 'BODY_TRUNCATED', status: 200, attempts: 5 }],
];

test.each(REPLIES)('what becomes of %s', async (_, listener, due) => {
  expect((await askOnce(listener)).reply).toMatchObject(due);
});

describe('headers', () => {
  test.each([
    ['apiKey', 'signage', { apiKey: 'key-12345678' }, 'x-apikey', 'key-12345678'],
    ['sessionId', 'signage', { sessionId: 'session-1234' }, 'x-session-id', 'session-1234'],
    ['accessToken', 'backup', { accessToken: 'token-123456' }, 'authorization', 'Bearer token-123456'],
  ] as const)('%s of a %s source goes as a header of its own', async (_, kind, secret, header, value) => {
    await using server = await serve(sends('[]'));
    await using client = clientOf(sourceAt(server.url, { kind }), { secrets: { read: async () => secret } });
    await client.get({ path: '/a', query: { account_id: '10&42' } }, BOUNDS);
    const [call] = server.calls;
    expect(call).toMatchObject({ method: 'GET', url: '/a?account_id=10%2642' });
    const accept = 'application/json, application/*;q=0.5';
    expect(call?.headers).toMatchObject({ accept, [header]: value, 'user-agent': 'signage-export' });
  });

  const WRITTEN = ['test-key-4711-abc', 'Test%2Dkey-4711-ABC', '746573742D6B65792D343731312D616263'];
  test.each(WRITTEN)('the name of a header holds no key: x-next-%s', async (written) => {
    const { reply } = await askOnce(sends('[]', { [`X-Next-${written}`]: '/a', 'x-page': '1' }));
    const names = Object.keys((reply as Answer).headers);
    expect(names).toEqual(expect.arrayContaining(['x-page', 'x-next-[secret]']));
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
    await using other = await serve(sends('[]'));
    const { reply } = await askOnce(sends('', { location: `${other.url}/x` }, 302));
    const refused = { outcome: 'failed', code: 'REDIRECT_REFUSED' };
    expect(reply).toMatchObject({ ...refused, status: 302, attempts: 1 });
    expect(other.calls).toEqual([]);
  });
});

describe('a server that does not answer costs its timeout, not more', () => {
  const limits = { connectMs: 50, idleMs: 10, firstByteMs: 10_000 };
  const silent: RequestListener = () => undefined;
  const drips = (_: unknown, response: ServerResponse) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 2);
    response.on('close', () => clearInterval(timer));
  };
  const begins: RequestListener = (_, response) => response.writeHead(200).write('[');
  test.each<[string, RequestListener, status: number | null, timeoutMs: number, timeLeft: number]>([
    ['silent before the answer', silent, null, 40, 200],
    ['the time left bounds the call', silent, null, 60_000, 30],
    ['one byte now and then', drips, 200, 400, 200],
    ['silent inside the body', begins, 200, 2000, 2900],
  ])('%s', async (_, listener, status, timeoutMs, timeLeft) => {
    const begun = performance.now();
    const bounds = { maxBytes: 100_000, timeoutMs };
    const given = { limits, timeLeft: () => timeLeft, random: () => 0.999, bounds };
    const { reply } = await askOnce(listener, given);
    expect(reply).toMatchObject({ code: 'TIMEOUT', outcome: 'failed', status, attempts: 1 });
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('without time left nothing is sent', async () => {
    const { reply, calls } = await askOnce(sends('[]'), { timeLeft: () => 0 });
    expect(reply).toMatchObject({ code: 'OUT_OF_TIME', attempts: 0, status: null });
    expect(calls).toEqual([]);
  });
});

test('where nobody listens, or not in HTTP, the connection fails', async () => {
  const gone = await serve(sends('[]'));
  await gone[Symbol.asyncDispose]();
  await using other = await listening(createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.7\r\n')));
  for (const url of [gone.url, `http://127.0.0.1:${other.port}`]) {
    await using client = clientOf(sourceAt(url));
    const failed = { code: 'CONNECTION_FAILED', outcome: 'failed', attempts: 5, status: null };
    expect(await client.get(TARGET, BOUNDS)).toMatchObject(failed);
  }
});

test('https:// to a port that speaks http:// says so', async () => {
  await using server = await serve(sends('[]'));
  await using client = clientOf(sourceAt(server.url.replace('http:', 'https:')));
  const message = expect.stringContaining('does not speak TLS on this port');
  await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'TLS_NOT_SPOKEN', message });
});

test('what is no JSON is requested like any other that fails, as long as the answer changes', async () => {
  let calls = 0;
  const { reply } = await askOnce((_, response) => json(response, `[${calls++},]`));
  expect(reply).toMatchObject({ code: 'BODY_NOT_JSON', attempts: 5 });
});

test('a server with another name for JSON is asked in one call', async () => {
  const { reply } = await askOnce((request, response) => {
    if (!request.headers.accept?.includes('application/*')) response.writeHead(406).end('{"errors": []}');
    else json(response, '[{}]', { 'content-type': 'application/vnd.api+json' });
  });
  expect(reply).toMatchObject({ kind: 'answer', attempts: 1 });
});

test('a secret that cannot be kept out of what is stored stops the source', async () => {
  await using server = await serve(sends('[]'));
  const secrets = { read: async () => ({ apiKey: 'short' }) };
  await using client = clientOf(sourceAt(server.url), { secrets });
  await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'SECRET_INVALID' });
  expect(server.calls).toEqual([]);
});

test('the clock of the machine works as the injected one does', async () => {
  await using server = await serve(sends('[]'));
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
