import { fault } from './fault.ts';

export const deniedAll = fault({
  name: 'denied-all',
  summary: '401 for everything, whatever the key',
  rate: 1,
  create: () => ({
    answer: ({ error }) => error(401, 'not_authorized', 'Authorization has been denied for this request.'),
  }),
});
