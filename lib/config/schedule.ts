import { UsageError } from '../errors.ts';
import { DAY_MS, HOUR_MS, offsetsOf, toTheSecond } from '../time.ts';
import { type Cron, CronFault, parseCron } from './cron.ts';

/** What the product needs to know about a schedule. */
export type Schedule = ReturnType<typeof readSchedule>;

const MINUTE_MS = 60_000;
/** Years that are read: in 28 years each date falls on each day of the week. The present rules of a time zone apply. */
const DAYS_LOOKED_AT = 28 * 365.25;
const UNIT_MS: Readonly<Record<string, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };
/** The most hours from a run's due time to its commit. */
const RUN_HOURS = 3;

/** Why EventBridge Scheduler refuses a schedule, as the end of "but must be …"; undefined if it does not. */
export function scheduleFault(schedule: string): string | undefined {
  try {
    parseTiming(schedule);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof CronFault)) throw cause;
    return scheduleDue(cause.message);
  }
}

/**
 * Reads a config's schedule as EventBridge Scheduler does. It skips a time that the clocks leave out, and runs a
 * repeated one once; a rate continues through both. Looks at 28 years from `now`. Throws UsageError if Scheduler
 * refuses it, or if it never runs from now on.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#daylist-savings-time
 */
export function readSchedule(
  { schedule, timeZone }: { readonly schedule: string; readonly timeZone: string },
  now: Date,
) {
  try {
    const timing = parseTiming(schedule);
    const { longestMs, runsAMonth } =
      typeof timing === 'number'
        ? { longestMs: timing, runsAMonth: (30 * DAY_MS) / timing }
        : lookAt(timing, { timeZone, from: Math.floor(now.getTime() / DAY_MS) * DAY_MS });
    if (runsAMonth === 0) throw new CronFault(`it never runs in ${timeZone} from ${toTheSecond(now)} on`);
    const longestGapHours = Math.ceil(longestMs / HOUR_MS);
    return {
      /** Runs in 30 days, on average over the years with runs. */
      runsAMonth,
      /** The most time from a run to the next, including days when the clocks change; hours are rounded up. */
      ...{ longestGapMinutes: longestMs / MINUTE_MS, longestGapHours },
      /** Without a committed run for so many hours, one is late. */
      lateAfterHours: longestGapHours + RUN_HOURS,
    };
  } catch (cause) {
    if (!(cause instanceof CronFault)) throw cause;
    const message = `The config's schedule is ${JSON.stringify(schedule)}, but must be ${scheduleDue(cause.message)}.`;
    throw new UsageError(message, 'CONFIG_INVALID', cause);
  }
}

/**
 * The next due time of a config's schedule after a moment, for systems without Scheduler. Undefined if it is not due
 * within 28 years. A rate is due at the multiples of its time since 1970, so a restart does not change it.
 */
export function nextDue(
  { schedule, timeZone }: { readonly schedule: string; readonly timeZone: string },
  after: Date,
): Date | undefined {
  const timing = parseTiming(schedule);
  const from = after.getTime();
  if (typeof timing === 'number') return new Date((Math.floor(from / timing) + 1) * timing);
  // The date in the zone may be the previous one.
  const first = Math.floor(from / DAY_MS) * DAY_MS - DAY_MS;
  for (const { times } of dueDays(timing, { timeZone, from: first })) {
    const later = times.filter((time) => time > from);
    if (later.length > 0) return new Date(Math.min(...later));
  }
  return undefined;
}

/** When answers of a moment are old: the run that is due after them could have committed. Undefined if none is due. */
export function oldFrom(
  config: { readonly schedule: string; readonly timeZone: string },
  answered: Date,
): Date | undefined {
  const timing = parseTiming(config.schedule);
  // Scheduler counts a rate from its creation, other systems from 1970.
  const due = typeof timing === 'number' ? answered.getTime() + timing : nextDue(config, answered)?.getTime();
  return due === undefined ? undefined : new Date(due + RUN_HOURS * HOUR_MS);
}

/** Milliseconds between two runs of a rate, or the due times of a cron. Throws CronFault. */
function parseTiming(schedule: string): number | Cron {
  const [, cron] = /^cron\((.*)\)$/s.exec(schedule) ?? [];
  if (cron !== undefined) return parseCron(cron);
  const [, one, oneUnit, many, manyUnits] =
    /^rate\((?:(1) (minute|hour|day)|(?!1 )([1-9]\d{0,8}) (minute|hour|day)s)\)$/.exec(schedule) ?? [];
  const every = Number(one ?? many) * (UNIT_MS[oneUnit ?? manyUnits ?? ''] ?? Number.NaN);
  if (Number.isNaN(every))
    throw new CronFault('write cron( ) with 6 fields, or rate( ) with a number and a unit');
  return every;
}

function scheduleDue(reason: string): string {
  return `a schedule such as "cron(0 3 * * ? *)" or "rate(1 day)": ${reason}`;
}

interface Window {
  readonly timeZone: string;
  /** Midnight UTC of the first date. */
  readonly from: number;
}

/** Counts a cron's runs in the window. Also measures the longest time to a run, or from the last one to the end. */
function lookAt(cron: Cron, window: Window) {
  const clockOn = clocksOf(window.timeZone);
  let [runs, days, longestMs] = [0, 0, 0];
  let last = clockOn(window.from)(0);
  const goTo = (time: number | undefined) => {
    if (time === undefined) return;
    longestMs = Math.max(longestMs, time - (last ?? time));
    last = time;
  };
  for (const { times } of dueDays(cron, window)) {
    days += 1;
    runs += times.length;
    times.forEach(goTo);
  }
  goTo(clockOn(window.from + DAYS_LOOKED_AT * DAY_MS)(0));
  return { longestMs, runsAMonth: runs === 0 ? 0 : (runs / days) * 30 };
}

/** The days of the window in the years of a cron, each with the times at which it is due on it, if any. */
function* dueDays(cron: Cron, { timeZone, from }: Window) {
  const clockOn = clocksOf(timeZone);
  for (let day = from; day < from + DAYS_LOOKED_AT * DAY_MS; day += DAY_MS) {
    const date = new Date(day);
    if (!cron.years.has(date.getUTCFullYear())) continue;
    const times = cron.isDue(date) ? cron.minutes.flatMap((minute) => clockOn(day)(minute) ?? []) : [];
    yield { times };
  }
}

/**
 * For a date, written as its midnight UTC, and minutes after midnight: the time when the zone's clocks first
 * show them on that date. Undefined if they never do.
 */
function clocksOf(timeZone: string): (day: number) => (minute: number) => number | undefined {
  const offsetAt = offsetsOf(timeZone);
  return (day) => {
    // An offset is less than a day. So one of these applies before the date begins in the zone, and one after it ends.
    const [before, after] = [offsetAt(day - DAY_MS), offsetAt(day + 2 * DAY_MS)];
    if (before === after) return (minute) => day + minute * MINUTE_MS - before;
    return (minute) =>
      [before, after]
        .map((offset) => ({ offset, time: day + minute * MINUTE_MS - offset }))
        .find(({ offset, time }) => offsetAt(time) === offset)?.time;
  };
}
