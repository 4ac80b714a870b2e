import { firstPiece, piecesOf } from '../profiles/answer.ts';
import { type Fault, fault, pause } from './fault.ts';

/** The faults that send the answer otherwise, late or not at all. */
export const CONNECTIONS: readonly Fault[] = [
  fault({
    name: 'reset',
    summary: 'the connection is reset before the first byte',
    rate: 0.02,
    send:
      () =>
      ({ response }) => {
        response.socket?.resetAndDestroy();
      },
  }),
  fault({
    name: 'truncate',
    summary: 'the connection breaks in the middle of the body; @how=length|chunked',
    rate: 0.02,
    keys: { how: ['length', 'chunked'] },
    send:
      ({ how }) =>
      async ({ response }, answer) => {
        const bytes = Buffer.from(firstPiece(answer.body));
        // Chunked: the last, empty chunk never comes.
        const length = how === 'chunked' ? {} : { 'content-length': bytes.length };
        response.writeHead(answer.status, { ...answer.headers, ...length });
        const half = bytes.subarray(0, Math.floor(bytes.length / 2));
        await new Promise<void>((resolve) => response.write(half.length === 0 ? ' ' : half, () => resolve()));
        response.destroy();
      },
  }),
  fault({
    name: 'slow',
    summary: 'the answer comes late; @ms=N',
    rate: 0.05,
    keys: { ms: 2000 },
    answer:
      ({ ms }) =>
      async () => {
        await pause(ms);
        return undefined;
      },
  }),
  fault({
    name: 'hang',
    summary: 'no answer ever comes; @after=head: only its head comes',
    rate: 0.01,
    keys: { after: ['nothing', 'head'] },
    send:
      ({ after }) =>
      ({ response }, answer) => {
        if (after === 'head') response.writeHead(answer.status, { ...answer.headers }).flushHeaders();
      },
  }),
  fault({
    name: 'drip',
    summary: 'the body comes byte by byte; @ms=N between two',
    rate: 0.01,
    keys: { ms: 1000 },
    send:
      ({ ms }) =>
      async ({ response }, answer) => {
        response.writeHead(answer.status, { ...answer.headers });
        for (const piece of piecesOf(answer.body)) {
          for (const byte of Buffer.from(piece)) {
            response.write(Buffer.of(byte));
            await pause(ms);
            if (response.destroyed) return;
          }
        }
        response.end();
      },
  }),
];
