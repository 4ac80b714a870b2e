import { type HeaderFields, headerOf } from '../headers.ts';

/**
 * By how many minutes an answer's Date is ahead of a time; undefined where it has none. A cache that keeps the Date of the
 * origin says in Age how old it is, and one that writes its own says so as well: the nearer reading counts.
 */
export function minutesAhead(headers: HeaderFields, now: Date): number | undefined {
  const text = headerOf(headers, 'date')?.trim() ?? '';
  const date = /^[A-Za-z]{3}.* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  const age = /^\d{1,9}$/.exec(headerOf(headers, 'age')?.trim() ?? '')?.[0] ?? '0';
  const ahead = Math.round((date - now.getTime()) / 60_000);
  return nearer(ahead, Math.round((date + Number(age) * 1000 - now.getTime()) / 60_000));
}

/** Of two differences the smaller one; undefined is none. */
export function nearer(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.abs(b) < Math.abs(a) ? b : a;
}
