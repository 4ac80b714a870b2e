import { fault } from './fault.ts';

export const wrongContentType = fault({
  name: 'wrong-content-type',
  summary: 'the true JSON under another content type; @type=T',
  rate: 1,
  keys: { type: 'text/html' },
  create: ({ type }) => ({
    change: (answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': type } }),
  }),
});
