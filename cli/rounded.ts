import { counted } from '#lib/text.ts';
import { CLOCKS_DIFFER_MS } from '#lib/time.ts';

/** A number for people: three decimals, for small ones three digits. A whole number stays as it is. */
export function roundedText(text: string): string {
  if (!/^-?\d+\.\d+(e[+-]?\d+)?$/i.test(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value) || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return text;
  const rounded = Math.abs(value) >= 1 ? value.toFixed(3) : value.toPrecision(3);
  return String(Number(rounded));
}

/** A time in UTC for people, to the minute: `2026-11-21 03:00Z`. Another text stays as it is. */
export function roundedTime(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:[\d.]+)?Z$/, '$1 $2Z');
}

/** The time since a moment: `2 hours ago`. */
export function age(time: string, now: Date): string {
  if (Date.parse(time) - now.getTime() > CLOCKS_DIFFER_MS) return 'still to come';
  return `${span(now, time)} ago`;
}

/** The time between two moments: `2 hours`. */
export function span(later: Date | string, earlier: Date | string): string {
  const ms = new Date(later).getTime() - new Date(earlier).getTime();
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes === 0) return 'less than a minute';
  if (minutes < 120) return counted(minutes, 'minute');
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`;
}
