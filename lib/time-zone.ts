import { nearest } from './nearest.ts';

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
