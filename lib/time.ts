import { nearest } from './text.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const QUARTER_MS = HOUR_MS / 4;

/** Clocks this near count as the same. A server with local time jumps by an hour twice a year. */
export const CLOCKS_DIFFER_MS = HOUR_MS + 10 * 60_000;

/** A time in the form of messages and of `--run-time`: `2026-11-21T03:20:00Z`. */
export function toTheSecond(time: Date | string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/**
 * The zone in IANA's spelling; undefined for an unknown zone. An offset such as +02:00 is refused, because
 * AWS and DuckDB write offsets differently.
 */
function knownZone(zone: string): string | undefined {
  if (!/^[A-Za-z]/.test(zone)) return undefined;
  try {
    const resolved = new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
    return resolved.toLowerCase() === zone.toLowerCase() ? resolved : zone;
  } catch {
    return undefined;
  }
}

/** What a text must be if it is not a zone, as the end of a sentence; undefined for a zone in IANA's spelling. */
export function zoneFault(zone: string): string | undefined {
  const known = knownZone(zone);
  if (known === zone) return undefined;
  const meant = known ?? nearest(zone, Intl.supportedValuesOf('timeZone')) ?? 'Europe/Berlin';
  return `an IANA time zone such as "${meant}"`;
}

/** How many milliseconds a zone's clocks are ahead of UTC, by a time in milliseconds since 1970. */
export function offsetsOf(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const known = new Map<number, number>();
  return (time) => {
    // No zone changes its offset within a quarter of an hour of UTC.
    const quarter = Math.floor(time / QUARTER_MS);
    const offset = known.get(quarter) ?? offsetIn(format.format(time));
    known.set(quarter, offset);
    return offset;
  };
}

/** Milliseconds east of Greenwich in a text such as `11/22/2026, GMT-03:30`. */
function offsetIn(text: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * 60_000);
}

/** The date so many days before another. */
export function daysBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);
}
