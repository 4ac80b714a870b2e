import { fault } from './fault.ts';

const PAGE =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login">…</form></body></html>';

export const html200 = fault({
  name: 'html200',
  summary: '200 with the HTML of a login page',
  rate: 0.02,
  create: () => ({
    change: () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: PAGE }),
  }),
});
