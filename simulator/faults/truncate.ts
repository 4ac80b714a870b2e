import type { AnswerBody } from '../profiles/answer.ts';
import { fault } from './fault.ts';

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
