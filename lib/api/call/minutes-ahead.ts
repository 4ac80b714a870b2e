import { type HeaderFields, headerOf } from '../headers.ts';

/**
 * The minutes by which an answer's Date is ahead of a time; undefined without a Date. Age is the age of the
 * origin's Date, but caches with a Date of their own send it too. So the nearer reading counts.
 */
export function minutesAhead(headers: HeaderFields, now: Date): number | undefined {
  const text = headerOf(headers, 'date')?.trim() ?? '';
  const date = /^[A-Za-z]{3}.* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  const age = /^\d{1,9}$/.exec(headerOf(headers, 'age')?.trim() ?? '')?.[0] ?? '0';
  const ahead = Math.round((date - now.getTime()) / 60_000);
  return nearer(ahead, Math.round((date + Number(age) * 1000 - now.getTime()) / 60_000));
}

/** The smaller of two differences; undefined counts as missing. */
export function nearer(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.abs(b) < Math.abs(a) ? b : a;
}
