import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Answer } from '#lib/api/client.ts';
import { askOnce, BOUNDS, clientOf, fetchFrom, json, serve, sourceAt, TARGET } from './support/serve.ts';

describe('the small print of HTTP', () => {
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)('a refusal in %s is read before it is judged', async (encoding, compress) => {
    const body = compress('{"message":"API access is not enabled"}');
    const { reply } = await askOnce((_, response) =>
      response.writeHead(403, { 'content-encoding': encoding }).end(body),
    );
    expect(reply).toMatchObject({ outcome: 'denied', code: 'API_NOT_ENABLED' });
  });

  test('a refusal that is a bomb, damaged or in an unknown encoding is judged by its status', async () => {
    const bodies: readonly (readonly [string, Buffer])[] = [
      ['gzip', gzipSync(Buffer.alloc(50_000_000, 0x20))],
      ['gzip', Buffer.from('no gzip')],
      ['compress', Buffer.from('what is that')],
    ];
    await using server = await serve((_, response) => {
      const [encoding, body] = bodies[server.calls.length - 1] ?? ['gzip', Buffer.alloc(0)];
      response.writeHead(403, { 'content-encoding': encoding }).end(body);
    });
    await using client = clientOf(sourceAt(server.url));
    for (const _ of [...bodies, 'empty'])
      expect(await client.get(TARGET, BOUNDS)).toMatchObject({ outcome: 'denied', code: 'FORBIDDEN' });
  });

  test.each([204, 205])('%i with a content-encoding has nothing to decode', async (status) => {
    const { reply } = await askOnce((_, response) =>
      response.writeHead(status, { 'content-encoding': 'gzip' }).end(),
    );
    expect(reply).toMatchObject({ kind: 'answer', status, body: null });
  });

  const UNUSABLE: readonly (readonly [string, Record<string, string>, string | Buffer])[] = [
    ['JSON with a comma too many', {}, '[{"a":1,}]'],
    ['a number that is none', {}, '[{"a":01}]'],
    ['no JSON far behind', {}, `{"a":[${'{"Id":1},'.repeat(20_000)}{}] 1}`],
    ['other quotes', {}, "{'a':1}"],
    ['a web page', { 'content-type': 'text/html' }, '<!doctype html><title>Sign in</title>'],
    ['XML', { 'content-type': 'text/xml' }, '<?xml version="1.0"?><a/>'],
    ['JSON in a function', {}, 'cb([{"Id":1}])'],
    ['a picture', { 'content-type': 'image/png' }, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])],
    [
      'an unknown charset',
      { 'content-type': 'application/json; charset=klingon' },
      Buffer.from([0xff, 0x41]),
    ],
    ['an unknown encoding', { 'content-encoding': 'lzma' }, '[]'],
    ['an encoding with a name of JavaScript', { 'content-encoding': 'constructor' }, '[]'],
    ['no gzip', { 'content-encoding': 'gzip' }, '[{"Id":1}]'],
    ['no brotli', { 'content-encoding': 'br' }, '[{"Id":1,"Name":"x"}]'],
    ['no zstd', { 'content-encoding': 'zstd' }, '[{"Id":1,"Name":"x"}]'],
  ];
  test.each(UNUSABLE)('%s is requested twice, for the same answer came twice', async (_, headers, body) => {
    const { reply } = await askOnce((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body),
    );
    const refused = { kind: 'refusal', code: expect.stringMatching(/^BODY_NOT_(JSON|TEXT)$/) };
    expect(reply).toMatchObject({ ...refused, attempts: 2 });
  });

  test('what is no JSON is requested like any other that fails, as long as the answer changes', async () => {
    await using server = await serve((_request, response) => json(response, `[${server.calls.length},]`));
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'BODY_NOT_JSON', attempts: 5 });
  });

  test.each(['players', 'screens'] as const)('and not again for %s', async (name) => {
    await using server = await serve((_request, response) => json(response, '[{"Id":1},]'));
    const { end } = await fetchFrom(server.url, name);
    expect(end).toMatchObject({ outcome: 'failed', errorCode: 'BODY_NOT_JSON' });
    expect(server.calls).toHaveLength(2);
  });

  test('a chunk of no size is asked for again, as what a proxy spoils', async () => {
    const sound = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
    const bodies = [`${sound}2\r\n[{\r\nzzz\r\n`, `${sound}2\r\n[]\r\n0\r\n\r\n`];
    const { reply } = await askOnce((request) => request.socket.end(bodies.shift() ?? ''));
    expect(reply).toMatchObject({ kind: 'answer', attempts: 2 });
  });

  const WRITTEN = ['test-key-4711-abc', 'Test%2Dkey-4711-ABC', '746573742D6B65792D343731312D616263'];
  test.each(WRITTEN)('the name of a header holds no key: x-next-%s', async (written) => {
    const named = { [`X-Next-${written}`]: '/a', 'x-page': '1' };
    await using server = await serve((_, response) => json(response, '[]', named));
    await using client = clientOf(sourceAt(server.url));
    const { headers } = (await client.get(TARGET, BOUNDS)) as Answer;
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['x-page', 'x-next-[secret]']));
  });

  test('https:// to a port that speaks http:// says so', async () => {
    await using server = await serve((_, response) => json(response, '[]'));
    await using client = clientOf(sourceAt(server.url.replace('http:', 'https:')));
    const message = expect.stringContaining('does not speak TLS on this port');
    await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'TLS_NOT_SPOKEN', message });
  });
});
