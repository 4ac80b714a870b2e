import { createServer } from 'node:http';
import { connect, createServer as createTcp } from 'node:net';
import { describe, expect, it } from 'vitest';
import { proxyFor } from '#lib/api/wire/proxy.ts';
import { BOUNDS, clientOf, listening, sourceAt } from './support/serve.ts';

const TARGET = { path: '/gv2/webservices/API/v1.12/Players', query: {} };

describe('the proxy of an origin', () => {
  const of = (origin: string, env: Readonly<Record<string, string>>) => proxyFor(origin, (name) => env[name]);
  const HTTPS_PROXY = 'http://proxy.corp.example:3128';

  it('is that of HTTPS_PROXY, in small letters too', () => {
    expect(of('https://a.example', { HTTPS_PROXY })).toBe(HTTPS_PROXY);
    expect(of('https://a.example', { https_proxy: HTTPS_PROXY })).toBe(HTTPS_PROXY);
    expect(of('https://a.example', {})).toBeUndefined();
  });

  it('is none for http://, for this machine and for what NO_PROXY names', () => {
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
    return {
      port,
      asked,
      [Symbol.asyncDispose]: async () => {
        await ends[Symbol.asyncDispose]();
        await plain[Symbol.asyncDispose]();
      },
    };
  }

  const source = sourceAt('https://signage.corp.example:8443');

  it('is reached by its name, which only the proxy has to know, and with TLS inside', async () => {
    await using proxy = await serveProxy();
    await using client = clientOf(source, { proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}` });
    await expect(client.get(TARGET, BOUNDS)).rejects.toMatchObject({ code: 'TLS_NOT_SPOKEN' });
    expect(proxy.asked).toEqual([['signage.corp.example:8443', 'signage.corp.example:8443']]);
  });

  it('fails with what the proxy answers, and without its password', async () => {
    await using proxy = await serveProxy();
    await using client = clientOf(source, { proxy: `me:wrong@127.0.0.1:${proxy.port}` });
    const reply = await client.get(TARGET, BOUNDS);
    expect(reply).toMatchObject({ code: 'PROXY_FAILED', message: expect.stringContaining('HTTP 407') });
    expect(JSON.stringify(reply)).not.toContain('wrong');
  });

  it('fails where nothing listens at the address of the proxy', async () => {
    await using client = clientOf(source, { proxy: 'http://127.0.0.1:1' });
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({
      code: 'PROXY_FAILED',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
