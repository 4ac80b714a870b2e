import { nearest } from './text.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

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
