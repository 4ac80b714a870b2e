import { describe, expect, it } from 'vitest';
import { longestGapHours } from '../../infra/schedule.ts';

describe('a schedule', () => {
  it.each([
    ['cron(0 3 * * ? *)', 24],
    ['cron(0 3,15 * * ? *)', 12],
    ['cron(0 1,5 * * ? *)', 20],
    ['cron(0/15 * * * ? *)', 1],
    ['cron(0 0/6 * * ? *)', 6],
    ['cron(0 8-18 * * ? *)', 14],
    ['cron(0 3 ? * MON-FRI *)', 72],
    ['cron(0 3 ? * SUN *)', 168],
    ['cron(0 3 ? * 6L *)', 744],
    ['cron(0 3 1 * ? *)', 744],
    ['cron(0 3 L * ? *)', 744],
    ['cron(0 3 1 1 ? *)', 8784],
    ['rate(1 day)', 24],
    ['rate(90 minutes)', 2],
    ['rate(12 hours)', 12],
  ])('%s leaves %i hours between two runs at most', (schedule, hours) => {
    expect(longestGapHours(schedule)).toBe(hours);
  });

  it.each([
    'cron(0 3 * * * *)',
    'cron(0 25 * * ? *)',
    'cron(0 3 * * ?)',
    'rate(0 days)',
    'rate(1 week)',
    'daily',
    'cron(x 3 * * ? *)',
  ])('%s is refused at synth with the cure', (schedule) => {
    expect(() => longestGapHours(schedule)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining('"cron(0 3 * * ? *)"'),
      }),
    );
  });
});
