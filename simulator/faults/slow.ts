import { fault, pause } from './fault.ts';

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
