import { fault } from './fault.ts';

const PAGE =
  '<html><head><title>503 Service Unavailable</title></head><body><h1>Service Unavailable</h1></body></html>';

export const unavailable = fault({
  name: '503',
  summary: '503 with an HTML page, for bursts of requests in a row; @burst=N',
  rate: 0.02,
  decidedBy: 'burst',
  keys: { burst: 20 },
  create: () => ({
    answer: () => ({ status: 503, headers: { 'content-type': 'text/html' }, body: PAGE }),
  }),
});
