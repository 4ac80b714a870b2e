import type { AnswerBody } from '../profiles/answer.ts';
import { fault } from './fault.ts';

export const cutJson = fault({
  name: 'cut-json',
  summary: 'whole HTTP, but the JSON in it ends too early',
  rate: 0.02,
  create: () => ({
    change: (answer) => ({ ...answer, body: cut(answer.body) }),
  }),
});

function cut(body: AnswerBody): AnswerBody {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    return body.slice(0, Math.max(1, Math.floor(body.length * 0.6)));
  }
  return firstAndAHalf(body);
}

function* firstAndAHalf(pieces: Iterable<string>): Iterable<string> {
  let first = true;
  for (const piece of pieces) {
    yield first ? piece : piece.slice(0, piece.length / 2);
    if (!first) return;
    first = false;
  }
}
