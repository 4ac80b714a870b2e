import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Reply } from '#lib/api/client.ts';
import { proxyFor } from '#lib/api/wire/proxy.ts';
import { answerTo, bodyOf, serveTcp, textOf } from '../connections/tcp-server.ts';
import { BOUNDS, clientOf, json, listening, sourceAt, TARGET } from './support/serve.ts';

/** Requests so many paths, with more callers than calls at once. Returns the paths that came back. */
async function askMany(url: string, calls = 200, concurrency = 4) {
  await using client = clientOf(sourceAt(url, { concurrency }));
  const paths = Array.from({ length: calls }, (_, index) => `/${index}`);
  const waiting = paths.values();
  const replies = new Map<string, Reply>();
  const worker = async () => {
    for (const path of waiting) replies.set(path, await client.get({ path, query: {} }, BOUNDS));
  };
  await Promise.all(Array.from({ length: 2 * concurrency }, worker));
  const wrong = paths.filter((path) => textOf(replies.get(path)) !== bodyOf(path));
  return { wrong, stats: client.stats() };
}

test('connections are kept: they are as many as calls at once', async () => {
  await using server = await serveTcp((socket, path) => {
    setTimeout(() => socket.write(answerTo(path)), 2);
  });
  const { wrong, stats } = await askMany(server.url);
  expect(wrong).toEqual([]);
  expect(stats).toMatchObject({ requests: 200, retries: 0 });
  expect(server.opened()).toBe(4);
});

test('after an answer that no call had requested, each call has a new connection', async () => {
  await using server = await serveTcp((socket, path) => {
    setTimeout(() => socket.write(answerTo(path)), 30);
    if (path === '/twice') setTimeout(() => socket.write(answerTo(path)), 35);
  });
  await using client = clientOf(sourceAt(server.url, { concurrency: 2 }));
  const get = (path: string) => client.get({ path, query: {} }, BOUNDS);
  await Promise.all(['/once', '/twice'].map(get));
  await vi.waitFor(() => expect(client.unasked()).toBe(1), 5000);
  expect(server.opened()).toBe(2);
  for (const path of ['/3', '/4']) expect(textOf(await get(path))).toBe(bodyOf(path));
  expect(server.opened()).toBe(4);
});

test('a server may close each connection without saying so: each call has its answer, and few are sent twice', async () => {
  await using server = await serveTcp((socket, path) => void socket.end(answerTo(path)));
  const { wrong, stats } = await askMany(server.url);
  expect(wrong).toEqual([]);
  expect(stats.retries).toBeLessThanOrEqual(4);
});

const OTHER_HOST = /issued for another host name: (?:DNS|IP Address):\S+.*: set baseUrl to a host name/;

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
    const { port, ...ends } = await listening(server);
    return { url: `https://127.0.0.1:${port}`, ...ends };
  }

  test('a certificate that nobody trusts stops the source, where the environment takes verification away too', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      await using server = await serveTls();
      await using client = clientOf(sourceAt(server.url));
      await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'TLS_REFUSED' });
      expect(client.refused()).toMatchObject({ code: 'TLS_REFUSED' });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test.each([
    ['TLS_EXPIRED', 'expired.pem', '127.0.0.1', /the certificate has expired: ask the operator of/],
    ['TLS_WRONG_HOST', 'cert.pem', 'localhost', OTHER_HOST],
    ['TLS_REFUSED', undefined, '127.0.0.1', /nobody that this machine trusts has signed.*: set caFile/],
  ])('%s says what is wrong with the certificate, and what to do', async (code, caFile, host, says) => {
    await using server = await serveTls(caFile);
    const url = server.url.replace('127.0.0.1', host);
    await using client = clientOf(
      sourceAt(url, caFile === undefined ? {} : { caFile: join(folder, caFile) }),
    );
    const message = expect.stringMatching(says);
    await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code, message });
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

describe('the proxy of an origin', () => {
  const of = (origin: string, env: Readonly<Record<string, string>>) => proxyFor(origin, (name) => env[name]);
  const HTTPS_PROXY = 'http://proxy.corp.example:3128';

  test('is that of HTTPS_PROXY, in small letters too', () => {
    expect(of('https://a.example', { HTTPS_PROXY })).toBe(HTTPS_PROXY);
    expect(of('https://a.example', { https_proxy: HTTPS_PROXY })).toBe(HTTPS_PROXY);
    expect(of('https://a.example', {})).toBeUndefined();
  });

  test('is none for http://, for this machine and for what NO_PROXY names', () => {
    for (const origin of ['http://a.example', 'https://localhost:1', 'https://127.0.0.1', 'https://[::1]'])
      expect(of(origin, { HTTPS_PROXY })).toBeUndefined();
    for (const NO_PROXY of ['*', 'a.example', '.a.example', 'x, b.a.example:443', '*.example'])
      expect(of('https://b.a.example', { HTTPS_PROXY, NO_PROXY })).toBeUndefined();
    expect(of('https://ba.example', { HTTPS_PROXY, NO_PROXY: 'a.example' })).toBe(HTTPS_PROXY);
  });
});

describe('a source behind a proxy', () => {
  /** A proxy that lets one user through, to a server that speaks no TLS. */
  async function serveProxy() {
    const asked: unknown[] = [];
    const plain = await listening(
      createTcp((socket) => {
        socket.on('error', () => {});
        socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      }),
    );
    const server = createServer();
    server.on('connect', (request, socket) => {
      asked.push([request.url, request.headers.host]);
      socket.on('error', () => {});
      if (request.headers['proxy-authorization'] !== `Basic ${btoa('me:p@ss')}`) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      const far = connect(plain.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(far).pipe(socket);
      });
      far.on('error', () => {});
    });
    const { port, ...ends } = await listening(server);
    const dispose = async () => {
      for (const each of [ends, plain]) await each[Symbol.asyncDispose]();
    };
    return { port, asked, [Symbol.asyncDispose]: dispose };
  }

  const source = sourceAt('https://signage.corp.example:8443');

  test('is reached by its name, which only the proxy has to know, and with TLS inside', async () => {
    await using proxy = await serveProxy();
    await using client = clientOf(source, { proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}` });
    await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'TLS_NOT_SPOKEN' });
    expect(proxy.asked).toEqual([['signage.corp.example:8443', 'signage.corp.example:8443']]);
  });

  test('fails with what the proxy answers, and without its password', async () => {
    await using proxy = await serveProxy();
    await using client = clientOf(source, { proxy: `me:wrong@127.0.0.1:${proxy.port}` });
    const reply = await client.get(TARGET, BOUNDS);
    expect(reply).toMatchObject({ code: 'PROXY_FAILED', message: expect.stringContaining('HTTP 407') });
    expect(JSON.stringify(reply)).not.toContain('wrong');
  });

  test('fails where nothing listens at the address of the proxy', async () => {
    await using client = clientOf(source, { proxy: 'http://127.0.0.1:1' });
    const message = expect.stringContaining('ECONNREFUSED');
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'PROXY_FAILED', message });
  });
});
