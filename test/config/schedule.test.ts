import { describe, expect, it } from 'vitest';
import { readSchedule, scheduleFault } from '#lib/config/schedule.ts';

const NOW = new Date('2026-11-22T18:30:00Z');

const read = (schedule: string, timeZone = 'UTC') => readSchedule({ schedule, timeZone }, NOW);
/** Days that come once a month, and once a year, in 30 days. */
const MONTHLY = (12 * 30) / 365.25;
const YEARLY = 30 / 365.25;
const WEEK = 30 / 7;

describe('a cron', () => {
  it.each([
    ['cron(0 3 * * ? *)', 30, 24],
    ['cron(0 3,15 * * ? *)', 60, 12],
    ['cron(0/15 * * * ? *)', 2880, 1],
    ['cron(0 22-2 * * ? *)', 150, 20],
    ['cron(0/30 20-2 ? * MON-FRI *)', 14 * 5 * WEEK, 49],
    ['cron(0 8-18 ? * mon-fri *)', 55 * WEEK, 62],
    ['cron(0 3 ? * MON-FRI *)', 5 * WEEK, 72],
    ['cron(0 3 ? * FRI-MON *)', 4 * WEEK, 96],
    ['cron(0 3 ? * L *)', WEEK, 168],
    ['cron(0 3 ? * 6L *)', MONTHLY, 35 * 24],
    ['cron(0 3 ? * FRI#5 *)', (30 * 4.178) / 365.25, 119 * 24],
    ['cron(0 3 31 * ? *)', (7 * 30) / 365.25, 61 * 24],
    ['cron(0 3 LW * ? *)', MONTHLY, 33 * 24],
    ['cron(0 3 * NOV-FEB ? *)', (30 * 120.25) / 365.25, 246 * 24],
    ['cron(0 3 1 1 ? *)', YEARLY, 366 * 24],
    ['cron(0 3 29 2 ? *)', YEARLY / 4, 1461 * 24],
  ])('%s is run %d times in 30 days, %i hours apart at most', (schedule, runs, hours) => {
    const found = read(schedule);
    expect(Math.abs(found.runsAMonth / runs - 1)).toBeLessThan(0.002);
    expect(found.longestGapHours).toBe(hours);
  });

  it.each([
    ['cron(0 3 * * ? *)', 'Europe/Berlin', 25],
    // Left out when the clocks go forward: 47 hours from 02:30 to 02:30 two days later.
    ['cron(30 2 * * ? *)', 'Europe/Berlin', 47],
    // The hour that comes twice is run once.
    ['cron(0 * * * ? *)', 'America/New_York', 2],
    // The clocks change on Sundays alone.
    ['cron(0 3 ? * MON-FRI *)', 'Europe/Berlin', 73],
    ['cron(0 3 ? * WED,THU *)', 'Europe/Berlin', 145],
  ])('%s in %s is at most %i hours apart, whatever the clocks do', (schedule, timeZone, hours) => {
    expect(read(schedule, timeZone).longestGapHours).toBe(hours);
  });

  it('is counted over the years in which it runs, and has no end of gaps after them', () => {
    expect(read('cron(0 3 * * ? 2027-2028)').runsAMonth).toBe(30);
    expect(read('cron(0 3 * * ? 2027-2028)').longestGapHours).toBeGreaterThan(20 * 365 * 24);
    expect(read('cron(0 3 1 1 ? 2026/2)').longestGapHours).toBe(731 * 24);
  });
});

it.each([
  ['rate(15 minutes)', 2880, 1],
  ['rate(90 minutes)', 480, 2],
  ['rate(1 hour)', 720, 1],
  ['rate(12 hours)', 60, 12],
  ['rate(1 day)', 30, 24],
  ['rate(10 days)', 3, 240],
])(
  'a rate: %s is run %d times in 30 days, %i hours apart, whatever the clocks do',
  (schedule, runs, hours) => {
    expect(read(schedule, 'Europe/Berlin')).toMatchObject({ runsAMonth: runs, longestGapHours: hours });
  },
);

it('an alarm for a late run waits three hours longer than the longest gap, however long that is', () => {
  expect(read('cron(0 3 ? * FRI-MON *)').lateAfterHours).toBe(99);
  expect(read('cron(0 22-2 * * ? *)').lateAfterHours).toBe(23);
  expect(read('cron(0 3 * * ? *)', 'Europe/Berlin').lateAfterHours).toBe(28);
  expect(read('rate(165 hours)').lateAfterHours).toBe(168);
  expect(read('rate(7 days)').lateAfterHours).toBe(171);
  expect(read('cron(0 3 1 * ? *)').lateAfterHours).toBe(31 * 24 + 3);
});

describe('a schedule that EventBridge Scheduler would refuse', () => {
  it.each([
    ['daily', 'write cron( ) with 6 fields, or rate( ) with a number and a unit'],
    ['rate(0 days)', 'write cron( ) with 6 fields, or rate( ) with a number and a unit'],
    ['rate(1 week)', 'write cron( ) with 6 fields, or rate( ) with a number and a unit'],
    ['rate(1 days)', 'write cron( ) with 6 fields, or rate( ) with a number and a unit'],
    ['rate(2 day)', 'write cron( ) with 6 fields, or rate( ) with a number and a unit'],
    ['cron(0 3 * * ?)', 'cron has 5 fields, and takes 6'],
    ['cron(0 3 * * * *)', 'exactly one of day of month and day of week must be ?'],
    ['cron(0 3 ? * ? *)', 'exactly one of day of month and day of week must be ?'],
    ['cron(x 3 * * ? *)', '"X" is no minute: write numbers from 0 to 59, with , - / or *'],
    ['cron(0/0 3 * * ? *)', '"0/0" is no minute'],
    ['cron(0/60 3 * * ? *)', '"0/60" is no minute'],
    ['cron(0 24 * * ? *)', '"24" is no hour: write numbers from 0 to 23, with , - / or *'],
    ['cron(0 *-3 * * ? *)', '"*-3" is no hour'],
    ['cron(0 3 0 * ? *)', '"0" is no day of the month'],
    ['cron(0 3 L,1 * ? *)', '"L" is no day of the month'],
    ['cron(0 3 32W * ? *)', '"32" is no day of the month'],
    ['cron(0 3 1 FOO ? *)', '"FOO" is no month: write numbers from 1 to 12 (or JAN to DEC), with'],
    ['cron(0 3 ? * FOO *)', '"FOO" is no day of the week: write numbers from 1 to 7 (or SUN to SAT)'],
    ['cron(0 3 ? * 0 *)', '"0" is no day of the week'],
    ['cron(0 3 ? * MON#6 *)', '"MON#6" is no day of the week'],
    ['cron(0 3 ? * MON#1,MON#3 *)', '"MON#1" is no day of the week'],
    ['cron(0 3 * * ? 1969)', '"1969" is no year'],
    ['cron(0 3 * * ? 2030-2026)', '"2030-2026" is no year'],
    ['cron(0 3 31 2 ? *)', 'it never runs, for no date is "31 2 ? *"'],
    ['cron(0 3 29 2 ? 2027)', 'it never runs, for no date is "29 2 ? 2027"'],
  ])('%s is refused with the reason and a cure', (schedule, reason) => {
    const fault = scheduleFault(schedule);
    expect(fault).toContain(`a schedule such as "cron(0 3 * * ? *)" or "rate(1 day)": ${reason}`);
    expect(() => read(schedule)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: `The config's schedule is ${JSON.stringify(schedule)}, but must be ${fault}.`,
      }),
    );
  });

  it.each([
    ['cron(0 3 * * ? 2020)', 'UTC'],
    ['cron(30 2 28 3 ? 2027)', 'Europe/Berlin'],
  ])('%s in %s is refused for it never runs from now on', (schedule, timeZone) => {
    expect(scheduleFault(schedule)).toBeUndefined();
    expect(() => read(schedule, timeZone)).toThrow(
      `it never runs in ${timeZone} from 2026-11-22T18:30:00Z on`,
    );
  });
});
