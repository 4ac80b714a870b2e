import { endOfString } from './mend.ts';

/** An entry of a JSON list, or a member of an object, as it stands in a text. */
export interface Part {
  /** The member's name as it is written, quotes included; null in a list. */
  readonly key: string | null;
  /** The value as it is written. */
  readonly text: string;
}

/** The entries of a list, or the members of an object, in the text of a valid JSON document; none of a scalar. */
export function* partsOf(text: string): Generator<Part> {
  let at = skipBetween(text, 0);
  const isObject = text.charCodeAt(at) === 0x7b;
  if (!isObject && text.charCodeAt(at) !== 0x5b) return;
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

/** Whether a value as it is written is an object, a list, or null. */
export function isObjectText(text: string): boolean {
  return text.charCodeAt(0) === 0x7b;
}
export function isListText(text: string): boolean {
  return text.charCodeAt(0) === 0x5b;
}

/** Behind white space, commas and colons. */
function skipBetween(text: string, from: number): number {
  let at = from;
  while (/[\s,:]/.test(text.charAt(at))) at += 1;
  return at;
}

function isEnd(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}

function endOfValue(text: string, from: number): number {
  if (text.charCodeAt(from) === 0x22) return endOfString(text, from);
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      continue;
    }
    if (depth === 0 && (code === 0x2c || isEnd(code) || /\s/.test(text.charAt(at)))) return at;
    if (code === 0x7b || code === 0x5b) depth += 1;
    if (isEnd(code)) depth -= 1;
    at += 1;
    if (depth === 0 && isEnd(code)) return at;
  }
  return text.length;
}
