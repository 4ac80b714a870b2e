import { HOUR_MS, toTheSecond } from '#lib/time.ts';

/** The moment of the simulator's day 0. The default is this hour, so that a run of today finds its screens alive. */
export function startOfDay0(given: string | undefined, now: Date): string {
  if (given !== undefined) return given.includes('T') ? given : `${given}T03:00:00Z`;
  return toTheSecond(new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS));
}

/** True for a day from 2000 to 2099 such as 2026-11-20, and for a moment such as 2026-11-20T03:00:00Z. */
export function isStart(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(text)) return false;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && toTheSecond(new Date(ms)).startsWith(text.replace('Z', ''));
}
