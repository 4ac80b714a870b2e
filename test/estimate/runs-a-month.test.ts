import { expect, it } from 'vitest';
import { runsAMonth } from '#lib/estimate/runs-a-month.ts';

/** Days of a year that come once a month. */
const MONTHLY = (12 * 30) / 365.25;
const YEARLY = 30 / 365.25;

it.each([
  ['rate(15 minutes)', 2880],
  ['rate(1 day)', 30],
  ['cron(0 3 * * ? *)', 30],
  ['cron(0/15 * * * ? *)', 2880],
  ['cron(0 8-18 ? * MON-FRI *)', 11 * 5 * (30 / 7)],
  ['cron(0 8-18 ? * mon-fri *)', 11 * 5 * (30 / 7)],
  ['cron(0 3 1,15 * ? *)', 2 * MONTHLY],
  ['cron(0 3 L * ? *)', MONTHLY],
  ['cron(0 3 LW * ? *)', MONTHLY],
  ['cron(0 3 15W * ? *)', MONTHLY],
  ['cron(0 3 ? * 6L *)', MONTHLY],
  ['cron(0 3 ? * FRI#3 *)', MONTHLY],
  ['cron(0 3 ? * L *)', 30 / 7],
  ['cron(0 3 ? * FRI-MON *)', 4 * (30 / 7)],
  ['cron(0 22-2 * * ? *)', 5 * 30],
  ['cron(0 22-2/2 * * ? *)', 3 * 30],
  ['cron(0 3 1 1 ? *)', YEARLY],
  ['cron(0 3 1 JAN,JUL ? *)', 2 * YEARLY],
])('%s is run %d times in 30 days', (schedule, runs) => {
  expect(Math.abs(runsAMonth(schedule) / runs - 1)).toBeLessThan(0.002);
});

it.each(['daily', 'cron(0 3 31 2 ? *)', 'cron(0 24 * * ? *)', 'cron(0 3 ? * FOO *)', 'cron(0/0 3 * * ? *)'])(
  '%s is never run',
  (schedule) => {
    expect(runsAMonth(schedule)).toBeNaN();
  },
);
