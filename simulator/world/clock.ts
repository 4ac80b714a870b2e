import { DAY_MS, HOUR_MS, toTheSecond } from '#lib/time.ts';

/** Start dates are parsed once, for each record needs them several times. */
const STARTS = new Map<string, number>();

/** The API's moment "never", .NET's smallest DateTime. */
export const NEVER = '0001-01-01T00:00:00Z';

/** The moment of the clock on a day, milliseconds since 1970. Day 0 is the start date, at three o'clock unless it has a time. */
export function nowOf(startDate: string, day: number): number {
  const start =
    STARTS.get(startDate) ?? Date.parse(startDate.includes('T') ? startDate : `${startDate}T03:00:00Z`);
  STARTS.set(startDate, start);
  return start + day * DAY_MS;
}

/** The moment of the simulator's day 0. The default is this hour, so that a run of today finds its screens alive. */
export function startOfDay0(given: string | undefined, now: Date): string {
  const thisHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return toTheSecond(new Date(given === undefined ? thisHour : nowOf(given, 0)));
}

/** 2026-11-20T03:00:00Z: whole seconds, as the signage API writes them. */
export function iso(ms: number): string {
  return `${new Date(told(ms)).toISOString().slice(0, 19)}Z`;
}

export function unixSeconds(ms: number): number {
  return Math.floor(told(ms) / 1000);
}

/**
 * Moves two hours back the times that Berlin's clocks show twice, at the end of summer time. A dialect that writes
 * local time without a zone could not say which of the two it means.
 */
function told(ms: number): number {
  const time = new Date(ms);
  const ambiguous =
    time.getUTCMonth() === 9 && time.getUTCDate() >= 25 && time.getUTCDay() === 0 && time.getUTCHours() < 2;
  return ambiguous ? ms - hours(2) : ms;
}

export function hours(count: number): number {
  return Math.round(count * HOUR_MS);
}

export function days(count: number): number {
  return Math.round(count * DAY_MS);
}
