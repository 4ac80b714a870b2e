import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { clientOf, json, serve, sourceAt } from './support/serve.ts';

const TARGET = { path: '/gv2/webservices/API/v1.12/Players', query: {} };
const BOUNDS = { maxBytes: 1_000_000, timeoutMs: 10_000 };

describe('the small print of HTTP', () => {
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateRawSync],
  ] as const)('a refusal in %s is read before it is judged', async (encoding, compress) => {
    await using server = await serve((_, response) =>
      response
        .writeHead(403, { 'content-encoding': encoding })
        .end(compress('{"message":"API access is not enabled"}')),
    );
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ outcome: 'denied', code: 'API_NOT_ENABLED' });
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
    await using server = await serve((_, response) =>
      response.writeHead(status, { 'content-encoding': 'gzip' }).end(),
    );
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ kind: 'answer', status, body: null });
  });

  test('deflate without its header is read', async () => {
    const text = JSON.stringify([{ Id: 1, Name: 'ü'.repeat(5000) }]);
    await using server = await serve((_, response) =>
      json(response, deflateRawSync(text), { 'content-encoding': 'deflate' }),
    );
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ body: { bytes: Buffer.byteLength(text) } });
  });

  test.each(['[{"a":1,}]', '[{"a":01}]', "{'a':1}"])(
    'a whole body that is no JSON costs one call: %s',
    async (body) => {
      await using server = await serve((_, response) => json(response, body));
      await using client = clientOf(sourceAt(server.url));
      expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'BODY_NOT_JSON', attempts: 1 });
    },
  );

  test('https:// to a port that speaks http:// says so', async () => {
    await using server = await serve((_, response) => json(response, '[]'));
    await using client = clientOf(sourceAt(server.url.replace('http:', 'https:')));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('does not speak TLS'),
    });
  });
});
