import { fault } from './fault.ts';

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
