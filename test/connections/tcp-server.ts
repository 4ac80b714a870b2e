import { createServer, type Socket } from 'node:net';
import type { Reply } from '#lib/api/client.ts';
import { listening } from '../api/support/serve.ts';

/** A server over kept connections: it gets each request's path, one after the other, and writes what it likes. */
export async function serveTcp(
  answer: (socket: Socket, path: string) => void | Promise<void>,
  onOpen: (socket: Socket, number: number) => void = () => {},
) {
  const open = new Set<Socket>();
  let opened = 0;
  const server = createServer((socket) => {
    opened += 1;
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    onOpen(socket, opened);
    let text = '';
    let before = Promise.resolve();
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const [, path = ''] = text.split(' ', 2);
        text = text.slice(end + 4);
        before = before.then(() => answer(socket, path));
      }
    });
  });
  const { port, ...ends } = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    /** Connections that were ever open. */
    opened: () => opened,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await ends[Symbol.asyncDispose]();
    },
  };
}

export function bodyOf(path: string): string {
  return JSON.stringify([{ Path: path }]);
}

export function answerTo(path: string): string {
  const body = bodyOf(path);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

export function textOf(reply: Reply | undefined): string | undefined {
  return reply?.kind === 'answer' ? reply.body?.read(0, reply.body.bytes).toString() : undefined;
}
