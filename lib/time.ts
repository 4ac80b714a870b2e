import { nearest } from './text.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Clocks that differ by no more are as good as the same. A server that writes its local time jumps by an hour twice a year. */
export const CLOCKS_DIFFER_MS = HOUR_MS + 10 * 60_000;

/** A time as messages say it, and as `--run-time` takes it: `2026-11-21T03:20:00Z`. */
export function toTheSecond(time: Date | string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/**
 * The zone as IANA writes it; undefined where there is no such zone. An offset such as +02:00 is refused, because AWS
 * and DuckDB write offsets in other ways.
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

/** What a text that is no zone must be, as the end of a sentence; undefined for a zone that is written as IANA does. */
export function zoneFault(zone: string): string | undefined {
  const known = knownZone(zone);
  if (known === zone) return undefined;
  const meant = known ?? nearest(zone, Intl.supportedValuesOf('timeZone')) ?? 'Europe/Berlin';
  return `an IANA time zone such as "${meant}"`;
}
