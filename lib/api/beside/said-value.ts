/** What a value can mean for paging. */
export type ValueKind =
  /** Null or empty. */
  | 'nothing'
  | 'flag'
  /** A whole number from 0 on. */
  | 'count'
  | 'address'
  | 'token'
  /** A time, a version, a fraction: nothing to ask with, nothing counted. */
  | 'plain'
  /** Words of a language. */
  | 'text'
  | 'list'
  | 'object';

const YES = new Set(['true', 'yes', 'y']);
const NO = new Set(['false', 'no', 'n']);

export function kindOfValue(value: unknown): ValueKind {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'boolean') return 'flag';
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? 'count' : 'plain';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : 'list';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'nothing' : 'object';
  const text = String(value).trim();
  if (text === '') return 'nothing';
  if (switchOf(text) !== undefined && !/\d/.test(text)) return 'flag';
  if (wholeNumberOf(text) !== undefined) return 'count';
  if (isAddress(text)) return 'address';
  if (isText(text)) return 'text';
  return isPlain(text) ? 'plain' : 'token';
}

/** Words of a time: `Mon, 23 Nov 2026 08:00:00 GMT`. */
const OF_TIME = [
  /^(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?$/i,
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?)$/i,
  /^(?:aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i,
  /^(?:gmt|utc|cet|cest|am|pm|at)$/i,
];
/** Characters of languages that put no space between words. */
const WITHOUT_SPACES = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/;

function isText(text: string): boolean {
  if (WITHOUT_SPACES.test(text)) return true;
  if (!/\s/.test(text)) return false;
  return text.split(/[^\p{L}\p{M}]+/u).some((word) => word.length > 1 && !isOfTime(word));
}

/** True for words of a time alone: `Monday`. */
export function isTimeText(text: string): boolean {
  return text.split(/[^\p{L}\p{M}]+/u).every(isOfTime);
}

function isOfTime(word: string): boolean {
  return OF_TIME.some((words) => words.test(word));
}

/** A whole number from 0 on, from a number or a text such as `1,000`; undefined for any other value. */
export function wholeNumberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string' || value.length > 20) return undefined;
  const text = value.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return /^\d{1,3}([,.' \u00a0\u202f]\d{3}){1,4}$/.test(text)
    ? Number(text.replaceAll(/\D/g, ''))
    : undefined;
}

/** Yes or no, from a boolean, a number (0 is no) or a word; undefined for any other value. */
export function switchOf(value: unknown): boolean | undefined {
  if (typeof value === 'object') return undefined;
  const word = String(value).trim().toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  const count = wholeNumberOf(word);
  return count === undefined ? undefined : count > 0;
}

/** True for an address, absolute or relative: `/players?page=2`, `?page=2`, `players?page=2`. */
export function isAddress(text: string): boolean {
  if (/\s/.test(text)) return false;
  return /^(https?:\/\/|\/|\?|\.\.?\/)/i.test(text) || /^[^?]*\?[^=?]+=/.test(text);
}

/** True for a value that is no cursor: a time, a version, a locale, or one with a space. A single word may be a cursor. */
function isPlain(text: string): boolean {
  if (/\s/.test(text)) return true;
  if (text.length > 64) return false;
  return (
    /^\d{4}-\d\d-\d\d/.test(text) ||
    /^v?\d+(\.\d+)+$/i.test(text) ||
    /^-?(\d+([.,]\d+)?|[.,]\d+)%?$/.test(text) ||
    /^[a-z]{2}[-_][A-Za-z]{2,4}$/.test(text)
  );
}
