import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { askOnce, BOUNDS, clientOf, json, listening, serve, sourceAt, TARGET } from './support/serve.ts';

const silent = () => undefined;

describe('a server that does not answer costs its timeout, not more', () => {
  const limits = { connectMs: 50, idleMs: 10, firstByteMs: 10_000 };
  const ONCE = { limits, timeLeft: () => 200, random: () => 0.999 };

  test.each([
    ['silent before the answer', { timeoutMs: 40 }],
    ['the time left bounds the call', { timeoutMs: 60_000, timeLeft: () => 30 }],
  ])('%s', async (_, { timeoutMs, ...more }) => {
    const begun = performance.now();
    const { reply } = await askOnce(silent, { ...ONCE, ...more, bounds: { maxBytes: 100, timeoutMs } });
    expect(reply).toMatchObject({ code: 'TIMEOUT', outcome: 'failed', status: null, attempts: 1 });
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('one byte now and then', async () => {
    const bounds = { maxBytes: 100_000, timeoutMs: 400 };
    const drip = (_: unknown, response: ServerResponse) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 2);
      response.on('close', () => clearInterval(timer));
    };
    const { reply } = await askOnce(drip, { ...ONCE, bounds });
    expect(reply).toMatchObject({ code: 'TIMEOUT', status: 200 });
  });

  test('silent inside the body', async () => {
    const asked = {
      ...ONCE,
      timeLeft: () => 2900,
      random: () => 0,
      bounds: { maxBytes: 100, timeoutMs: 2000 },
    };
    const { reply } = await askOnce((_request, response) => response.writeHead(200).write('['), asked);
    expect(reply).toMatchObject({ code: 'TIMEOUT', status: 200, attempts: 1 });
  });

  test('without time left nothing is sent', async () => {
    const timeLeft = () => 0;
    const { reply, calls } = await askOnce((_request, response) => json(response, '[]'), { timeLeft });
    expect(reply).toMatchObject({ code: 'OUT_OF_TIME', attempts: 0, status: null });
    expect(calls).toEqual([]);
  });
});

describe('a connection that fails', () => {
  test('nobody listens', async () => {
    const server = await serve(silent);
    await server[Symbol.asyncDispose]();
    await using client = clientOf(sourceAt(server.url));
    const failed = { code: 'CONNECTION_FAILED', attempts: 5, status: null };
    expect(await client.get(TARGET, BOUNDS)).toMatchObject(failed);
  });

  test('reset before the answer', async () => {
    const { reply } = await askOnce((request) => request.socket.resetAndDestroy());
    expect(reply).toMatchObject({ code: 'CONNECTION_FAILED', attempts: 5 });
  });

  test('closed inside the body', async () => {
    const { reply } = await askOnce((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('[{}');
      setImmediate(() => request.socket.destroy());
    });
    expect(reply).toMatchObject({ code: 'BODY_TRUNCATED', status: 200, attempts: 5 });
  });

  test('no HTTP at all', async () => {
    await using server = await listening(createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.7\r\n')));
    await using client = clientOf(sourceAt(`http://127.0.0.1:${server.port}`));
    expect(await client.get(TARGET, BOUNDS)).toMatchObject({ code: 'CONNECTION_FAILED', outcome: 'failed' });
  });
});
