import { fault } from './fault.ts';

const HOUR_MS = 3_600_000;

export const clockSkew = fault({
  name: 'clock-skew',
  summary: 'the Date header is off; @hours=N',
  rate: 1,
  keys: { hours: -5 },
  create: ({ hours }) => ({
    change: (answer) => {
      const date = new Date(Date.now() + hours * HOUR_MS).toUTCString();
      return { ...answer, headers: { ...answer.headers, date } };
    },
  }),
});
