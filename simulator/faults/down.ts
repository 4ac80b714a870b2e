import { fault } from './fault.ts';

export const down = fault({
  name: 'down',
  summary:
    'no request works until the faults are set again; @from=N: from the Nth request on, @how=503|refuse',
  rate: 1,
  about: () => true,
  keys: { how: ['503', 'refuse'] },
  create: ({ how }, { refuseConnections }) => ({
    answer: () => {
      if (how === 'refuse') refuseConnections();
      return { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Service Unavailable</h1>' };
    },
  }),
});
