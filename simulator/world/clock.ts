const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY_SECONDS = DAY_MS / 1000;

/** Parsed once: each record asks several times. */
const STARTS = new Map<string, number>();

/** The API's moment "never", .NET's smallest DateTime. */
export const NEVER = '0001-01-01T00:00:00Z';

/**
 * Milliseconds since 1970 of the moment at which the clock stands on a day. Day 0 is the start date, at three o'clock
 * where it says no other time.
 */
export function nowOf(startDate: string, day: number): number {
  const start =
    STARTS.get(startDate) ?? Date.parse(startDate.includes('T') ? startDate : `${startDate}T03:00:00Z`);
  STARTS.set(startDate, start);
  return start + day * DAY_MS;
}

/** 2026-11-20T03:00:00Z: whole seconds, as the signage API writes them. */
export function iso(ms: number): string {
  const seconds = unixSeconds(ms);
  const inDay = seconds - Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS;
  const clock = `${two(Math.floor(inDay / 3600))}:${two(Math.floor(inDay / 60) % 60)}:${two(inDay % 60)}`;
  return `${dayOf(seconds * 1000).text}T${clock}Z`;
}

/**
 * Berlin's clocks repeat an hour when summer time ends: a dialect that writes local time without a zone could not say
 * which of the two it means. So nothing happens in these two hours of a year, but two hours before.
 */
export function unixSeconds(ms: number): number {
  const isTwice = ms - Math.floor(ms / DAY_MS) * DAY_MS < hours(2) && dayOf(ms).endsSummerTime;
  return Math.floor((isTwice ? ms - hours(2) : ms) / 1000);
}

interface Day {
  /** YYYY-MM-DD */
  readonly text: string;
  readonly endsSummerTime: boolean;
}

/** The days that were asked for: making one takes ten times as long as the rest of a moment's text. */
const DAYS = new Map<number, Day>();

function dayOf(ms: number): Day {
  const day = Math.floor(ms / DAY_MS);
  const known = DAYS.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * DAY_MS);
  const isLastSunday = date.getUTCMonth() === 9 && date.getUTCDate() >= 25 && date.getUTCDay() === 0;
  const made = { text: date.toISOString().slice(0, 10), endsSummerTime: isLastSunday };
  DAYS.set(day, made);
  return made;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

export function hours(count: number): number {
  return Math.round(count * HOUR_MS);
}

export function days(count: number): number {
  return Math.round(count * DAY_MS);
}
