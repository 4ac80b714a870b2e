import { isAscii } from 'node:buffer';

interface SourceContext {
  readonly source?: string;
}

/** Only integers of 16 or more digits can exceed 2^53. A match in a string costs a slower parse. */
const LONG_INTEGER = /[:[,]\s*-?\d{16}/;

/** Programs write these for a missing number, although JSON has no such value. */
const NO_NUMBER = /^(?:NaN|-?Infinity)$/;
/** True where a text may have one. */
const NO_NUMBERS = /(?:^|[:[,])\s*-?(?:NaN|Infinity)/;

/** True for NaN, Infinity and -Infinity. */
export function isNoNumber(token: string): boolean {
  return NO_NUMBER.test(token);
}

/**
 * JSON.parse, but an integer beyond 2^53 becomes its digits as a string, and NaN, Infinity and -Infinity
 * become null. Throws SyntaxError.
 */
export function parseExact(text: string): unknown {
  const reviver = LONG_INTEGER.test(text) ? keepDigits : undefined;
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    if (!NO_NUMBERS.test(text)) throw error;
    return JSON.parse(
      withoutNoNumbers(text, () => 'null'),
      reviver,
    );
  }
}

function keepDigits(_key: string, value: unknown, context?: SourceContext): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}

/** The text with another one for each NaN, Infinity and -Infinity. */
export function withoutNoNumbers(text: string, other: (word: string) => string): string {
  if (!NO_NUMBERS.test(text)) return text;
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const word = text.slice(at, Math.min(end, at + 10));
    if (isNoNumber(word)) {
      parts.push(text.slice(copied, at), other(word));
      copied = end;
    }
    at = end;
  }
  return parts.join('') + text.slice(copied);
}

/** The JSON of a text; undefined where it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** True for a complete string, number or word of JSON. */
export function isWhole(token: string): boolean {
  return !isNoNumber(token) && jsonOf(token) !== undefined;
}

const WORD = /[^\s{}[\],:"]+/y;

/** The index after the token that begins at `from` (a string, a word, a sign); at most the text's length. */
export function endOfToken(text: string, from: number): number {
  if (text.charCodeAt(from) === 0x22) return Math.min(endOfString(text, from), text.length);
  WORD.lastIndex = from;
  return WORD.test(text) ? WORD.lastIndex : from + 1;
}

/** The index after the closing quote of the string that begins at `from`; beyond the text without one. */
export function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (let c = text.charCodeAt(at); c !== 0x22 && at < text.length; c = text.charCodeAt(at))
    at += c === 0x5c ? 2 : 1;
  return at + 1;
}

/** Counts object members at any depth of a parsed value. Repeated keys make the text's count higher. */
export function countMembers(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const items = Object.values(next);
    if (!Array.isArray(next)) count += items.length;
    for (const item of items) if (typeof item === 'object' && item !== null) open.push(item);
  }
  return count;
}

export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** An entry of a JSON list, or a member of an object, as written in a text. */
export interface Part {
  /** The member's name as it is written, with quotes; null in a list. */
  readonly key: string | null;
  /** The value as it is written. */
  readonly text: string;
}

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const BETWEEN = /[\s,:]*/y;

/** The entries of a list, or the members of an object, in valid JSON text; none for a scalar. */
export function* partsOf(text: string): Generator<Part> {
  let at = skipBetween(text, 0);
  const isObject = text.charCodeAt(at) === OPEN_OBJECT;
  if (!isObject && text.charCodeAt(at) !== OPEN_LIST) return;
  for (at = skipBetween(text, at + 1); at < text.length; at = skipBetween(text, at)) {
    if (isEnd(text.charCodeAt(at))) return;
    let key: string | null = null;
    if (isObject) {
      const end = endOfString(text, at);
      key = text.slice(at, end);
      at = skipBetween(text, end);
    }
    const to = endOfValue(text, at);
    yield { key, text: text.slice(at, to) };
    at = to;
  }
}

/** True where a value as it is written is an object, or a list. */
export function isObjectText(text: string): boolean {
  return text.charCodeAt(0) === OPEN_OBJECT;
}
export function isListText(text: string): boolean {
  return text.charCodeAt(0) === OPEN_LIST;
}

/** The index after white space, commas and colons. */
function skipBetween(text: string, from: number): number {
  BETWEEN.lastIndex = from;
  BETWEEN.test(text);
  return BETWEEN.lastIndex;
}

function isEnd(code: number): boolean {
  return code === CLOSE_OBJECT || code === CLOSE_LIST;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const code = text.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
    if (isEnd(code)) depth -= 1;
    at = endOfToken(text, at);
  } while (depth > 0 && at < text.length);
  return at;
}
