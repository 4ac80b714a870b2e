import type { Said } from './beside.ts';
import { nameOf } from './beside.ts';
import { wholeNumberOf } from './said-value.ts';

/** Which records of how many a page has: `Showing 1-22 of 57`, `0-21/57`. */
export interface Range {
  readonly said: Said;
  readonly name: string;
  /** Records on the page, and on all pages. */
  readonly count: number;
  readonly total: number;
}

const LONGEST = 200;
const NUMBERS = /\d{1,3}(?:[,.'\u00a0\u202f]\d{3})+|\d{1,15}/g;

/** The range that a text tells by three numbers, in whatever language; null for any other value. */
export function rangeIn(said: Said): Range | null {
  const { value } = said;
  if (typeof value !== 'string' || value.length > LONGEST) return null;
  const [from, to, total, ...more] = (value.match(NUMBERS) ?? []).map(wholeNumberOf);
  if (from === undefined || to === undefined || total === undefined || more.length > 0) return null;
  // What separates them is no date's nor a version's: `1-22 of 57`, `2026-11-23`, `1.12.4`.
  const isRange = from <= to && to <= total + 1 && /\d\D*\s*(?:[-–—]|\.\.+|\s\p{L}+\s)\s*\d/u.test(value);
  return isRange ? { said, name: nameOf(said), count: to - from + 1, total } : null;
}
