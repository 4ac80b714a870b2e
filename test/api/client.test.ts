import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createApiClient } from '#lib/api/client.ts';
import { API_KEY, clientOf, json, serve, sourceAt } from './support/serve.ts';

const TARGET = { path: '/x', query: {} };
const BOUNDS = { maxBytes: 1_000_000, timeoutMs: 5000 };

describe('headers', () => {
  const CASES = [
    { kind: 'signage', secret: { apiKey: 'key-12345678' }, header: 'x-apikey', value: 'key-12345678' },
    { kind: 'signage', secret: { sessionId: 'session-1234' }, header: 'x-session-id', value: 'session-1234' },
    {
      kind: 'backup',
      secret: { accessToken: 'token-123456' },
      header: 'authorization',
      value: 'Bearer token-123456',
    },
  ] as const;
  for (const { kind, secret, header, value } of CASES) {
    test(`${Object.keys(secret)} goes as ${header}`, async () => {
      await using server = await serve((_request, response) => json(response, '[]'));
      await using client = clientOf(sourceAt(server.url, { kind }), {
        secrets: { read: async () => secret },
      });
      await client.get({ path: '/a', query: { account_id: '10&42' } }, BOUNDS);
      const [call] = server.calls;
      expect(call).toMatchObject({ method: 'GET', url: '/a?account_id=10%2642' });
      expect(call?.headers).toMatchObject({
        accept: 'application/json, application/*;q=0.5',
        [header]: value,
        'user-agent': 'signage-export',
      });
    });
  }

  test('a server with another name for JSON is asked in one call', async () => {
    await using server = await serve((request, response) => {
      if (!request.headers.accept?.includes('application/*')) response.writeHead(406).end('{"errors": []}');
      else json(response, '[{}]', { 'content-type': 'application/vnd.api+json' });
    });
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ kind: 'answer', attempts: 1 });
  });

  test('dots of an encoded id are not resolved', async () => {
    await using server = await serve((_request, response) => json(response, '[]'));
    await using client = clientOf(sourceAt(server.url));
    await client.get({ path: '/Players/%2E%2E/Screens', query: {} }, BOUNDS);
    expect(server.calls[0]?.url).toBe('/Players/%2E%2E/Screens');
  });
});

describe('bodies come decompressed', () => {
  const ENCODINGS = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };
  const text = JSON.stringify([{ Id: 1, Name: 'ü'.repeat(5000) }]);
  for (const [encoding, compress] of Object.entries(ENCODINGS)) {
    test(encoding, async () => {
      const bytes = compress(Buffer.from(text));
      await using server = await serve((_request, response) =>
        json(response, bytes, { 'content-encoding': encoding }),
      );
      await using client = clientOf(sourceAt(server.url));
      expect(await client.get(TARGET, BOUNDS)).toMatchObject({
        kind: 'answer',
        body: { bytes: Buffer.byteLength(text) },
      });
    });

    test(`${encoding}, cut short`, async () => {
      const bytes = compress(Buffer.from(text));
      await using server = await serve((_request, response) =>
        json(response, bytes.subarray(0, bytes.length - 9), { 'content-encoding': encoding }),
      );
      await using client = clientOf(sourceAt(server.url));
      expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'BODY_TRUNCATED', attempts: 5 });
    });
  }

  test('a bomb is stopped at the bound of the decoded body', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    await using server = await serve((_request, response) =>
      json(response, bomb, { 'content-encoding': 'gzip' }),
    );
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({
      outcome: 'failed',
      code: 'BODY_TOO_LARGE',
      attempts: 1,
    });
  });

  test('a length beyond the bound is refused before it comes', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '9000000' });
      response.write('[');
    });
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'BODY_TOO_LARGE', attempts: 1 });
  });
});

describe('a server that does not answer costs its timeout, not more', () => {
  const LIMITS = { limits: { connectMs: 50, idleMs: 10, firstByteMs: 10_000 } };
  const ONCE = { ...LIMITS, timeLeft: () => 200, random: () => 0.999 };

  test('silent before the answer', async () => {
    await using server = await serve(() => undefined);
    await using client = clientOf(sourceAt(server.url), ONCE);
    const begun = performance.now();
    const reply = await client.get(TARGET, { maxBytes: 100, timeoutMs: 40 });
    expect(reply).toMatchObject({ code: 'TIMEOUT', outcome: 'failed', status: null, attempts: 1 });
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('one byte now and then', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 2);
      response.on('close', () => clearInterval(timer));
    });
    await using client = clientOf(sourceAt(server.url), ONCE);
    expect(await client.get(TARGET, { maxBytes: 100_000, timeoutMs: 400 })).toMatchObject({
      code: 'TIMEOUT',
      status: 200,
    });
  });

  test('silent inside the body', async () => {
    await using server = await serve((_request, response) => response.writeHead(200).write('['));
    await using client = clientOf(sourceAt(server.url), { ...ONCE, timeLeft: () => 2900, random: () => 0 });
    const reply = await client.get(TARGET, { maxBytes: 100, timeoutMs: 2000 });
    expect(reply).toMatchObject({ code: 'TIMEOUT', status: 200, attempts: 1 });
  });

  test('the time left bounds the call', async () => {
    await using server = await serve(() => undefined);
    await using client = clientOf(sourceAt(server.url), { ...ONCE, timeLeft: () => 30 });
    const begun = performance.now();
    expect(await client.get(TARGET, { maxBytes: 100, timeoutMs: 60_000 })).toMatchObject({ code: 'TIMEOUT' });
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('without time left nothing is sent', async () => {
    await using server = await serve((_request, response) => json(response, '[]'));
    await using client = clientOf(sourceAt(server.url), { timeLeft: () => 0 });
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({
      code: 'OUT_OF_TIME',
      attempts: 0,
      status: null,
    });
    expect(server.calls).toEqual([]);
  });
});

describe('connections', () => {
  test('nobody listens', async () => {
    const server = await serve(() => undefined);
    await server[Symbol.asyncDispose]();
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({
      code: 'CONNECTION_FAILED',
      attempts: 5,
      status: null,
    });
  });

  test('reset before the answer', async () => {
    await using server = await serve((request) => request.socket.resetAndDestroy());
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'CONNECTION_FAILED', attempts: 5 });
  });

  test('closed inside the body', async () => {
    await using server = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('[{}');
      setImmediate(() => request.socket.destroy());
    });
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({
      code: 'BODY_TRUNCATED',
      status: 200,
      attempts: 5,
    });
  });

  test('no HTTP at all', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.7\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await using client = clientOf(sourceAt(`http://127.0.0.1:${port}`));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'CONNECTION_FAILED', outcome: 'failed' });
    server.close();
  });

  test('are kept alive, and never more than the concurrency', async () => {
    const sockets = new Set<unknown>();
    await using server = await serve((request, response) => {
      sockets.add(request.socket);
      setTimeout(() => json(response, '[]'), 2);
    });
    await using client = clientOf(sourceAt(server.url, { concurrency: 5 }));
    await Promise.all(Array.from({ length: 60 }, () => client.get(TARGET, BOUNDS)));
    expect(sockets.size).toBe(5);
  });
});

describe('redirects', () => {
  test('within the origin are followed', async () => {
    await using server = await serve((request, response) => {
      if (request.url === '/x') response.writeHead(301, { location: '/y?a=1' }).end();
      else json(response, '[]');
    });
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ kind: 'answer', attempts: 2 });
    expect(server.calls.map(({ url }) => url)).toEqual(['/x', '/y?a=1']);
    expect(server.calls[1]?.headers['x-apikey']).toBe(API_KEY);
  });

  test('to another origin are refused, and the key does not go there', async () => {
    await using other = await serve((_request, response) => json(response, '[]'));
    await using server = await serve((_request, response) =>
      response.writeHead(302, { location: `${other.url}/x` }).end(),
    );
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({
      outcome: 'failed',
      code: 'REDIRECT_REFUSED',
      status: 302,
      attempts: 1,
    });
    expect(other.calls).toEqual([]);
  });

  test('that go round and round end after five', async () => {
    await using server = await serve((_request, response) =>
      response.writeHead(302, { location: '/x' }).end(),
    );
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'HTTP_3XX', attempts: 6 });
  });
});

describe('Retry-After', () => {
  test('is waited for in full', async () => {
    let calls = 0;
    await using server = await serve((_request, response) => {
      calls += 1;
      if (calls === 1) response.writeHead(429, { 'retry-after': '120' }).end();
      else json(response, '[]');
    });
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ kind: 'answer', attempts: 2 });
    expect(client.waits[0]).toBe(120_000);
    expect(client.stats()).toEqual({ requests: 2, retries: 1, throttled: 1 });
  });

  for (const [status, header] of [
    [429, '7200'],
    [503, 'Sat, 21 Nov 2026 04:00:01 GMT'],
    [500, '99999999999999'],
  ] as const) {
    test(`${status} with ${header} does not fit: failed at once, and from three in a row on so are the next calls`, async () => {
      await using server = await serve((_request, response) =>
        response.writeHead(status, { 'retry-after': header }).end(),
      );
      await using client = clientOf(sourceAt(server.url));
      for (let call = 1; call <= 3; call++)
        expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'RATE_LIMITED', status, attempts: 1 });
      if (status === 500) return;
      expect(await client.get(TARGET, BOUNDS)).toMatchObject({
        code: 'RATE_LIMITED',
        status: null,
        attempts: 0,
      });
      expect(server.calls).toHaveLength(3);
    });
  }
});

test('behind a pause of half an hour no call waits, though there is an hour left', async () => {
  await using server = await serve((_request, response) =>
    response.writeHead(429, { 'retry-after': '1800' }).end(),
  );
  await using client = clientOf(sourceAt(server.url));
  for (let call = 1; call <= 3; call++) await client.get(TARGET, BOUNDS);
  expect(client.mustWait()).toBe(true);
  expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'RATE_LIMITED', attempts: 0 });
  expect(server.calls).toHaveLength(3);
  expect(Math.max(0, ...client.waits)).toBeLessThanOrEqual(15 * 60_000);
});

describe('403', () => {
  test('says denied', async () => {
    await using server = await serve((_request, response) =>
      response.writeHead(403).end('{"Message":"No right"}'),
    );
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({
      outcome: 'denied',
      code: 'FORBIDDEN',
      status: 403,
    });
  });

  test('of an API that is not enabled says so', async () => {
    const body = '{"Message":"API access is not enabled for this installation."}';
    await using server = await serve((_request, response) => response.writeHead(403).end(body));
    await using client = clientOf(sourceAt(server.url));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ outcome: 'denied', code: 'API_NOT_ENABLED' });
  });
});

describe('TLS', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tls-test-'));
    const openssl = (...words: readonly string[]) =>
      execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
    openssl('req', '-x509', '-days', '2', ...key, '-out', 'cert.pem', ...subject);
    openssl('x509', '-in', 'cert.pem', '-signkey', 'key.pem', '-days', '-1', '-out', 'expired.pem');
  });

  async function serveTls(cert = 'cert.pem'): Promise<AsyncDisposable & { readonly url: string }> {
    const options = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, cert)) };
    const server = createHttpsServer(options, (_request, response) => json(response, '[]'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      });
    return { url: `https://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
  }

  test('a certificate that nobody trusts stops the source', async () => {
    await using server = await serveTls();
    await using client = clientOf(sourceAt(server.url));
    await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'TLS_REFUSED' });
    expect(client.refused()).toMatchObject({ code: 'TLS_REFUSED' });
  });

  test('verification stays on where the environment takes it away', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      await using server = await serveTls();
      await using client = clientOf(sourceAt(server.url));
      await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'TLS_REFUSED' });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.each([
    ['TLS_EXPIRED', 'expired.pem', '127.0.0.1', /the certificate has expired: ask the operator of/],
    [
      'TLS_WRONG_HOST',
      'cert.pem',
      'localhost',
      /issued for another host name: (?:DNS|IP Address):\S+.*: set baseUrl to a host name/,
    ],
    [
      'TLS_REFUSED',
      undefined,
      '127.0.0.1',
      /nobody that this machine trusts has signed.*: set caFile of the source/,
    ],
  ])('%s says what is wrong with the certificate, and what to do', async (code, caFile, host, says) => {
    await using server = await serveTls(caFile);
    const url = server.url.replace('127.0.0.1', host);
    await using client = clientOf(
      sourceAt(url, caFile === undefined ? {} : { caFile: join(folder, caFile) }),
    );
    await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(says),
    });
  });

  test('caFile makes it trusted', async () => {
    await using server = await serveTls();
    await using client = clientOf(sourceAt(server.url, { caFile: join(folder, 'cert.pem') }));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ kind: 'answer' });
  });

  test('a caFile that is none is refused by name', () => {
    const make = (caFile: string) => () => clientOf(sourceAt('https://127.0.0.1', { caFile }));
    writeFileSync(join(folder, 'none.pem'), 'no certificate');
    expect(make(join(folder, 'none.pem'))).toThrow(/none\.pem holds no PEM certificate/);
    expect(make(join(folder, 'missing.pem'))).toThrow(/missing\.pem cannot be read/);
  });
});

test('a secret that cannot be kept out of what is stored stops the source', async () => {
  await using server = await serve((_request, response) => json(response, '[]'));
  await using client = clientOf(sourceAt(server.url), {
    secrets: { read: async () => ({ apiKey: 'short' }) },
  });
  await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'SECRET_INVALID' });
  expect(server.calls).toEqual([]);
});

test('the clock of the machine works as the injected one does', async () => {
  await using server = await serve((_request, response) => json(response, '[]'));
  const source = sourceAt(server.url, { requestsPerSecond: 100 });
  const secrets = { read: async () => ({ apiKey: API_KEY }) };
  const client = createApiClient({
    source,
    secrets,
    now: () => new Date(),
    random: Math.random,
    timeLeft: () => 10_000,
  });
  const begun = performance.now();
  await Promise.all(Array.from({ length: 9 }, () => client.get(TARGET, BOUNDS)));
  await client.close();
  // Nine calls at 100 a second take 80 ms, 50 of which may be caught up.
  expect(performance.now() - begun).toBeGreaterThan(28);
});
