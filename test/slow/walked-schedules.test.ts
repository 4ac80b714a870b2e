import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextDue, readSchedule } from '#lib/config/schedule.ts';
import { walkedMinutes } from '../config/walked-minutes.ts';

const DAY = 86_400_000;
const NOW = new Date('2026-11-22T18:30:00Z');
const TODAY = Date.UTC(2026, 10, 22);
/** 28 years, as the reader looks at. */
const DAYS = 10_227;
const WINDOW = { from: TODAY, until: TODAY + DAYS * DAY };

const read = (schedule: string, timeZone: string) => readSchedule({ schedule, timeZone }, NOW);

it('what a schedule says is what a walk over every minute of 28 years finds', () => {
  const zone = fc.constantFrom(
    ...'UTC Europe/Berlin America/New_York America/St_Johns Africa/Cairo Africa/Casablanca'.split(' '),
    ...'Australia/Lord_Howe Pacific/Auckland Asia/Kolkata'.split(' '),
  );
  fc.assert(
    fc.property(crons(), zone, (cron, timeZone) => {
      const walked = walkedMinutes({ cron, timeZone, ...WINDOW });
      if (walked.runs === 0) {
        expect(() => read(`cron(${cron})`, timeZone)).toThrow('it never runs');
        return;
      }
      const found = read(`cron(${cron})`, timeZone);
      expect(found.longestGapHours).toBe(Math.ceil(walked.gapMinutes / 60));
      expect(found.runsAMonth).toBeCloseTo((walked.runs / DAYS) * 30, 6);
    }),
    { numRuns: 15 },
  );
});

it('the next due times are those that a walk over all minutes counts, in any zone', () => {
  const from = Date.UTC(2026, 9, 1);
  const until = Date.UTC(2026, 10, 30);
  fc.assert(
    fc.property(
      fc.constantFrom('0 3', '30 2', '0/20 0-4', '15 23', '0 */5'),
      fc.constantFrom('* * ? *', '? * MON-FRI *', 'L * ? *'),
      fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'),
      (time, days, timeZone) => {
        const expected = walkedMinutes({
          cron: `${time} ${days.replace('MON-FRI', '2-6')}`,
          timeZone,
          from,
          until,
        }).runs;
        const schedule = `cron(${time} ${days})`;
        // The walk is over dates of the zone, which begin up to 14 hours before or after those of UTC.
        const shownOn = (moment: Date) =>
          Date.parse(`${new Intl.DateTimeFormat('en-CA', { timeZone }).format(moment)}T00:00Z`);
        let runs = 0;
        let moment = nextDue({ schedule, timeZone }, new Date(from - DAY));
        while (moment !== undefined && shownOn(moment) < until) {
          if (shownOn(moment) >= from) runs += 1;
          moment = nextDue({ schedule, timeZone }, moment);
        }
        expect(runs).toBe(expected);
      },
    ),
    { numRuns: 25 },
  );
});

/** Expressions of six fields, each of every form that it may have. */
function crons(): fc.Arbitrary<string> {
  const field = (first: number, last: number) => {
    const value = fc.integer({ min: first, max: last }).map(String);
    const range = fc.tuple(value, value).map(([a, b]) => `${a}-${b}`);
    const step = fc.integer({ min: 1, max: Math.min(last, 24) });
    const stepped = fc.tuple(fc.oneof(value, range, fc.constant('*')), step).map(([a, b]) => `${a}/${b}`);
    return fc.oneof(
      fc.array(fc.oneof(value, range, stepped), { minLength: 1, maxLength: 3 }).map((all) => all.join(',')),
      fc.constant('*'),
    );
  };
  const dayOfMonth = fc.oneof(
    field(1, 31),
    fc.constantFrom('L', 'LW'),
    fc.integer({ min: 1, max: 31 }).map((day) => `${day}W`),
  );
  const weekday = fc.integer({ min: 1, max: 7 });
  const dayOfWeek = fc.oneof(
    field(1, 7),
    fc.constant('L'),
    weekday.map((day) => `${day}L`),
    fc.tuple(weekday, fc.integer({ min: 1, max: 5 })).map(([day, nth]) => `${day}#${nth}`),
  );
  const days = fc.oneof(
    dayOfMonth.map((day) => ({ day, week: '?' })),
    dayOfWeek.map((week) => ({ day: '?', week })),
  );
  const month = fc.oneof(fc.constant('*'), field(1, 12));
  return fc
    .tuple(field(0, 59), field(0, 23), days, month)
    .map(([minute, hour, { day, week }, months]) => `${minute} ${hour} ${day} ${months} ${week} *`);
}
