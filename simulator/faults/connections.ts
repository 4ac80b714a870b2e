import type { AnswerBody } from '../profiles/answer.ts';
import { fault, pause } from './fault.ts';

export const reset = fault({
  name: 'reset',
  summary: 'the connection is reset before the first byte',
  rate: 0.02,
  create: () => ({
    send: ({ response }) => {
      response.socket?.resetAndDestroy();
    },
  }),
});

export const truncate = fault({
  name: 'truncate',
  summary: 'the connection breaks in the middle of the body; @how=length|chunked',
  rate: 0.02,
  keys: { how: ['length', 'chunked'] },
  create: ({ how }) => ({
    send: async ({ response }, answer) => {
      const bytes = Buffer.from(beginning(answer.body));
      // Chunked: the last, empty chunk never comes.
      const length = how === 'chunked' ? {} : { 'content-length': bytes.length };
      response.writeHead(answer.status, { ...answer.headers, ...length });
      const half = bytes.subarray(0, Math.floor(bytes.length / 2));
      await new Promise<void>((resolve) => response.write(half.length === 0 ? ' ' : half, () => resolve()));
      response.destroy();
    },
  }),
});

function beginning(body: AnswerBody): string | Buffer {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  for (const piece of body) return piece;
  return '';
}

export const slow = fault({
  name: 'slow',
  summary: 'the answer comes late; @ms=N',
  rate: 0.05,
  keys: { ms: 2000 },
  create: ({ ms }) => ({
    answer: async () => {
      await pause(ms);
      return undefined;
    },
  }),
});

export const hang = fault({
  name: 'hang',
  summary: 'no answer ever comes; @after=head: only its head comes',
  rate: 0.01,
  keys: { after: ['nothing', 'head'] },
  create: ({ after }) => ({
    send: ({ response }, answer) => {
      if (after === 'head') response.writeHead(answer.status, { ...answer.headers }).flushHeaders();
    },
  }),
});

export const drip = fault({
  name: 'drip',
  summary: 'the body comes byte by byte; @ms=N between two',
  rate: 0.01,
  keys: { ms: 1000 },
  create: ({ ms }) => ({
    send: async ({ response }, answer) => {
      response.writeHead(answer.status, { ...answer.headers });
      const pieces =
        typeof answer.body === 'string' || Buffer.isBuffer(answer.body) ? [answer.body] : answer.body;
      for (const piece of pieces) {
        for (const byte of Buffer.from(piece)) {
          response.write(Buffer.of(byte));
          await pause(ms);
          if (response.destroyed) return;
        }
      }
      response.end();
    },
  }),
});
