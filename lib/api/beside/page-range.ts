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
/** Digits beside a letter are part of an id: `b1a6-77`. */
const NUMBERS = /(?<![\p{L}\d])(?:\d{1,3}(?:[,.'\u00a0\u202f]\d{3})+|\d{1,15})(?![\p{L}\d])/gu;

const BETWEEN = /(?<=\d)\D+(?=\d)/g;

/** The range that a text tells by three numbers, in whatever language; null for any other value. */
export function rangeIn(said: Said): Range | null {
  const { value } = said;
  if (typeof value !== 'string' || value.length > LONGEST || isId(value)) return null;
  const [from, to, total, ...more] = (value.match(NUMBERS) ?? []).map(wholeNumberOf);
  if (from === undefined || to === undefined || total === undefined || more.length > 0) return null;
  // What separates them is no date's nor a version's: `1-22 of 57`, `2026-11-23`, `1.12.4`.
  const isRange = from <= to && to <= total + 1 && (value.match(BETWEEN) ?? []).some(separates);
  return isRange ? { said, name: nameOf(said), count: to - from + 1, total } : null;
}

/** True for one word in which a letter stands beside a digit: `c9a1-0000-4444-8888`. */
function isId(text: string): boolean {
  return !/\s/.test(text) && /\p{L}\d|\d\p{L}/u.test(text);
}

/** Whether a text between two numbers ends with a dash, dots or a word: `1-22`, `1..22`, `1 bis 22`. */
function separates(text: string): boolean {
  const end = text.trimEnd();
  return /[-–—]$|\.\.$/.test(end) || (end !== text && /\s\p{L}+$/u.test(end));
}
