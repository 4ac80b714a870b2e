import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { watchSocket } from '#lib/api/wire/watch-socket.ts';

/** What is read of pieces that come one after the other. */
function readOf(pieces: readonly string[], isBetween = true): string {
  const socket = new PassThrough();
  watchSocket(socket as unknown as Socket, {
    isBetween: () => isBetween,
    onUnasked: () => {},
    onClose: () => {},
  });
  return pieces
    .map((piece) => {
      socket.write(piece);
      return socket.read()?.toString() ?? '';
    })
    .join('');
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n';
const OWN = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]';

test('informational answers between two answers are taken out, wherever the pieces end', () => {
  for (const text of [CONTINUE + OWN, CONTINUE + HINTS + OWN, OWN])
    for (let at = 0; at <= text.length; at++)
      expect([at, readOf([text.slice(0, at), text.slice(at)])]).toEqual([at, OWN]);
});

test('a body that reads like one stays as it is', () => {
  expect(readOf([CONTINUE], false)).toBe(CONTINUE);
});
