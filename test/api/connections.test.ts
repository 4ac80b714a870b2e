import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Reply } from '#lib/api/client.ts';
import { BOUNDS, clientOf, listening, sourceAt } from './support/serve.ts';

interface TcpServer extends AsyncDisposable {
  readonly url: string;
  /** Connections that were ever open. */
  readonly opened: () => number;
}

/** A server that gets each request's path and writes what it likes. */
async function serveTcp(answer: (socket: Socket, path: string) => void): Promise<TcpServer> {
  const open = new Set<Socket>();
  let opened = 0;
  const server = createServer((socket) => {
    opened += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const [, path = ''] = text.split(' ', 2);
        text = text.slice(end + 4);
        answer(socket, path);
      }
    });
  });
  const { port, ...ends } = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    opened: () => opened,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await ends[Symbol.asyncDispose]();
    },
  };
}

function answerOf(path: string): string {
  const body = JSON.stringify([{ Path: path }]);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Requests so many paths, with more callers than calls at once. Returns the paths that came back. */
async function askMany(
  url: string,
  { calls, concurrency }: { readonly calls: number; readonly concurrency: number },
) {
  await using client = clientOf(sourceAt(url, { concurrency }));
  const paths = Array.from({ length: calls }, (_, index) => `/${index}`);
  const waiting = paths.values();
  const replies = new Map<string, Reply>();
  const worker = async () => {
    for (const path of waiting) replies.set(path, await client.get({ path, query: {} }, BOUNDS));
  };
  await Promise.all(Array.from({ length: 2 * concurrency }, worker));
  const wrong = paths.filter((path) => textOf(replies.get(path)) !== JSON.stringify([{ Path: path }]));
  return { wrong, stats: client.stats() };
}

function textOf(reply: Reply | undefined): string | undefined {
  return reply?.kind === 'answer' ? reply.body?.read(0, reply.body.bytes).toString() : undefined;
}

test('connections are kept: they are as many as calls at once', async () => {
  await using server = await serveTcp((socket, path) => setTimeout(() => socket.write(answerOf(path)), 2));
  const { wrong, stats } = await askMany(server.url, { calls: 200, concurrency: 4 });
  expect(wrong).toEqual([]);
  expect(stats).toMatchObject({ requests: 200, retries: 0 });
  expect(server.opened()).toBe(4);
});

describe('servers that break the rules of keep-alive', () => {
  test('close each connection without saying so: each call has its answer, and few are sent twice', async () => {
    await using server = await serveTcp((socket, path) => void socket.end(answerOf(path)));
    const { wrong, stats } = await askMany(server.url, { calls: 200, concurrency: 4 });
    expect(wrong).toEqual([]);
    expect(stats.retries).toBeLessThanOrEqual(4);
  });

  test('write something behind an answer: the next call has its own', async () => {
    await using server = await serveTcp((socket, path) => {
      socket.write(`${answerOf(path)}${Number(path.slice(1)) % 10 === 0 ? '<!-- served by lb-3 -->' : ''}`);
    });
    const { wrong } = await askMany(server.url, { calls: 200, concurrency: 4 });
    expect(wrong).toEqual([]);
  });
});
