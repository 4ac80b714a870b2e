import type { JsonKind } from './scan.ts';

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const SPACE = 0x20;
export const NEW_LINE = 0x0a;
export const LESS_THAN = 0x3c;
export const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
export const OPEN_OBJECT = 0x7b;
/** `{` and `[` with the bit 0x20 set; no other byte becomes this. */
export const OPEN = 0x7b;
/** `}` and `]` with the bit 0x20 set; no other byte becomes this. */
export const CLOSE = 0x7d;

const KINDS = new Map<string, JsonKind>([
  ['{', 'object'],
  ['[', 'array'],
  ['"', 'string'],
  ['t', 'boolean'],
  ['f', 'boolean'],
  ['n', 'null'],
  ...[...'-0123456789NI'].map((c) => [c, 'number'] as const),
]);
const KIND_OF_BYTE = Array.from({ length: 256 }, (_, c) => KINDS.get(String.fromCharCode(c)));

/** The kind of a value that begins with this byte; undefined if none does. */
export function kindOfFirstByte(c: number): JsonKind | undefined {
  return KIND_OF_BYTE[c];
}

/** The byte at an index that is known to be within the chunk. */
export function byteAt(chunk: Uint8Array, at: number): number {
  return chunk[at] as number;
}

export function isSpace(c: number): boolean {
  return c === SPACE || (c >= 9 && c <= 13);
}

/** True if a byte ends a number, true, false or null. */
export function endsWord(c: number): boolean {
  return c === COMMA || (c | SPACE) === CLOSE || isSpace(c) || c === COLON || c === QUOTE;
}

/** The index of the first byte from `from` on that is not white space; else the chunk's length. */
export function skipSpace(chunk: Buffer, from: number): number {
  let at = from;
  while (at < chunk.length && isSpace(byteAt(chunk, at))) at += 1;
  return at;
}
