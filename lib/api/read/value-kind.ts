/** The possible meanings of a value next to the records. */
export type ValueKind =
  /** Null or empty. */
  | 'nothing'
  | 'flag'
  /** A whole number, 0 or more. */
  | 'number'
  | 'address'
  /** One word, or a text that may request a page. */
  | 'token'
  /** A time, a version, a fraction: it requests and counts nothing. */
  | 'plain'
  | 'sentence'
  | 'list'
  | 'object';

const YES = new Set(['true', 'yes', 'y']);
const NO = new Set(['false', 'no', 'n']);

/** The kind of a value of JSON, or of a header. */
export function kindOfValue(value: unknown): ValueKind {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'boolean') return 'flag';
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? 'number' : 'plain';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : 'list';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'nothing' : 'object';
  return kindOfText(String(value).trim());
}

function kindOfText(text: string): ValueKind {
  if (text === '') return 'nothing';
  const lower = text.toLowerCase();
  if (YES.has(lower) || NO.has(lower)) return 'flag';
  if (wholeNumberOf(text) !== undefined) return 'number';
  if (isAddress(text)) return 'address';
  if (isPlain(text)) return 'plain';
  return /\s/.test(text) ? 'sentence' : 'token';
}

/** A whole number, 0 or more, from a number or a text such as `1,000`; undefined for any other value. */
export function wholeNumberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string' || value.length > 20) return undefined;
  const text = value.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return /^\d{1,3}([,.' \u00a0\u202f]\d{3}){1,4}$/.test(text)
    ? Number(text.replaceAll(/\D/g, ''))
    : undefined;
}

/** Yes or no, from a boolean, a number (0 means no) or a word; undefined for any other value. */
export function switchOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') return undefined;
  const word = String(value).trim().toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  const number = wholeNumberOf(word);
  return number === undefined ? undefined : number > 0;
}

/** True for an address, absolute or relative: `/players?page=2`, `?page=2`, `players?page=2`. */
export function isAddress(text: string): boolean {
  if (/\s/.test(text)) return false;
  return /^(https?:\/\/|\/|\?|\.\.?\/)/i.test(text) || /^[^?]*\?[^=?]+=/.test(text);
}

const TIMES = [
  /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/,
  /^\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/,
  /^[A-Z][a-z]{2,8},? \d{1,2}[ -][A-Z][a-z]{2}/,
];

/** True for a value that cannot request a page: a time, a version, a fraction, a locale. */
function isPlain(text: string): boolean {
  if (text.length > 64) return false;
  return (
    TIMES.some((time) => time.test(text)) ||
    /^v?\d+(\.\d+)+$/i.test(text) ||
    /^-?(\d+([.,]\d+)?|[.,]\d+) ?%?$/.test(text) ||
    /^[a-z]{2}[-_][A-Za-z]{2,4}$/.test(text)
  );
}
