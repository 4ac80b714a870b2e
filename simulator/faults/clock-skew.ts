import { HOUR_MS } from '#lib/day-ms.ts';
import { fault } from './fault.ts';

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
