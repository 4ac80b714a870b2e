import { endOfString, endOfToken } from './parse.ts';

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
