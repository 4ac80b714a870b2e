import type { AnswerBody } from '../profiles/answer.ts';
import { fault } from './fault.ts';

const MEGABYTE = ' '.repeat(1_000_000);

export const bigBody = fault({
  name: 'big-body',
  summary: 'the true JSON behind megabytes of blanks; @mb=N',
  rate: 0.01,
  keys: { mb: 64 },
  create: ({ mb }) => ({
    change: (answer) => ({ ...answer, body: padded(mb, answer.body) }),
  }),
});

function* padded(megabytes: number, body: AnswerBody): Iterable<string> {
  for (let i = 0; i < megabytes; i++) yield MEGABYTE;
  if (typeof body === 'string') yield body;
  else if (Buffer.isBuffer(body)) yield body.toString();
  else yield* body;
}
