import {
  DUPLICATE_MARK,
  HALF_MARK,
  NO_NUMBER_MARK,
  NUMBER_MARK,
  REPLACEMENT,
  UNFIT,
} from '../../lake/raw/marks.ts';
import { trimEnd } from '../../text.ts';
import { endOfString, endOfToken, isNoNumber } from './parse.ts';

/**
 * True if DuckDB 1.5 may read a text wrongly. Reasons: a fraction or exponent that a double may not hold, NaN
 * or Infinity, an escaped surrogate, our own marks. countMembers finds repeated keys.
 */
export function mayNeedMending(text: string): boolean {
  return TROUBLE.test(text);
}

/** A number of 17 or more characters or with an exponent, NaN, Infinity, a surrogate escape, or a mark. */
const TROUBLE =
  /(?:^|[:[,])\s*-?(?:(?=[\d.]{16})\d+\.|\d+(?:\.\d+)?[eE]|NaN|Infinity)|\\u[dD][89a-fA-F]|\\u[fF][dD][dD][0-2]|[\uFDD0-\uFDD2]/;

interface Level {
  /** The keys so far in an object; null in an array. */
  readonly keys: Map<string, number> | null;
}

/** Changes valid JSON text so that DuckDB reads every value correctly; null if it already does. */
export function mend(text: string): string | null {
  const out: string[] = [];
  const levels: Level[] = [];
  let copied = 0;
  let keyNext = false;
  let at = 0;

  const replace = (from: number, to: number, by: string): void => {
    out.push(text.slice(copied, from), by);
    copied = to;
  };

  while (at < text.length) {
    const c = text.charCodeAt(at);
    if (c === 0x22) {
      const end = endOfString(text, at);
      const token = text.slice(at, end);
      const fixed = keyNext ? mendKey(token, levels.at(-1)?.keys ?? null) : mendString(token);
      if (fixed !== token) replace(at, end, fixed);
      at = end;
    } else if (c === 0x2d || (c >= 0x30 && c <= 0x39) || c === 0x4e || c === 0x49) {
      const end = endOfToken(text, at);
      const token = text.slice(at, end);
      if (isNoNumber(token)) replace(at, end, JSON.stringify(NO_NUMBER_MARK + token));
      else if (!isHeldByDouble(token)) replace(at, end, JSON.stringify(NUMBER_MARK + token));
      at = end;
    } else {
      if (c === 0x7b || c === 0x5b) levels.push({ keys: c === 0x7b ? new Map() : null });
      else if (c === 0x7d || c === 0x5d) levels.pop();
      if (c === 0x7b || c === 0x2c) keyNext = (levels.at(-1)?.keys ?? null) !== null;
      else if (c === 0x3a || c === 0x5b) keyNext = false;
      at += 1;
    }
  }
  if (out.length === 0) return null;
  out.push(text.slice(copied));
  return out.join('');
}

function mendKey(token: string, keys: Map<string, number> | null): string {
  const fixed = rewrite(token, () => REPLACEMENT);
  if (keys === null) return fixed;
  const key = String(JSON.parse(fixed));
  const seen = (keys.get(key) ?? 0) + 1;
  keys.set(key, seen);
  return seen === 1 ? fixed : JSON.stringify(`${key}${DUPLICATE_MARK}${seen}`);
}

function mendString(token: string): string {
  return rewrite(token, (unit) => `${HALF_MARK}${unit.charCodeAt(0).toString(16)}`);
}

const HAS_MARK = /[\uFDD0-\uFDD2]/;

/** The string's token with every unfit code unit replaced. */
function rewrite(token: string, by: (unit: string) => string): string {
  if (!token.includes('\\u') && !HAS_MARK.test(token)) return token;
  const value = String(JSON.parse(token));
  const fixed = value.replace(UNFIT, by);
  return fixed === value ? token : JSON.stringify(fixed);
}

/** True if DuckDB returns the number unchanged: it keeps integers as text and all else as a double. */
function isHeldByDouble(token: string): boolean {
  if (/^-?\d+$/.test(token)) return true;
  const value = Number(token);
  return Number.isFinite(value) && decimalOf(String(value)) === decimalOf(token);
}

/** The same text for equal numbers: the digits without outer zeros, and the last digit's exponent. */
function decimalOf(token: string): string {
  const [mantissa = '', exponent = '0'] = token.replace('-', '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = trimEnd(digits, '0');
  if (significant === '') return '0';
  const last = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${significant}e${last}`;
}
