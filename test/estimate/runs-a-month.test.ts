import { expect, it } from 'vitest';
import { runsAMonth } from '#lib/estimate/runs-a-month.ts';

it.each([
  ['rate(15 minutes)', 2880],
  ['rate(1 day)', 30],
  ['cron(0 3 * * ? *)', 30],
  ['cron(0/15 * * * ? *)', 2880],
  ['cron(0 8-18 ? * MON-FRI *)', 11 * 5 * (30 / 7)],
  ['cron(0 3 1,15 * ? *)', 2],
])('%s is run %d times in 30 days', (schedule, runs) => {
  expect(runsAMonth(schedule)).toBeCloseTo(runs, 5);
});

it('what is no schedule is no number', () => {
  expect(runsAMonth('daily')).toBeNaN();
});
