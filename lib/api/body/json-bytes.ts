import type { JsonKind } from './scan.ts';

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const SPACE = 0x20;
export const NEW_LINE = 0x0a;
/** `{` and `[` with the bit 0x20 set; no other byte becomes this. */
export const OPEN = 0x7b;
/** `}` and `]` with the bit 0x20 set; no other byte becomes this. */
export const CLOSE = 0x7d;
export const OPEN_OBJECT = 0x7b;
const BOM = [0xef, 0xbb, 0xbf];

const KINDS: ReadonlyMap<number, JsonKind> = new Map([
  ...[...'-0123456789NI'].map((c) => [c.charCodeAt(0), 'number'] as const),
  [0x7b, 'object'],
  [0x5b, 'array'],
  [QUOTE, 'string'],
  [0x74, 'boolean'],
  [0x66, 'boolean'],
  [0x6e, 'null'],
]);

/** The kind of a value that begins with this byte; undefined if no value does. */
export function kindOfFirstByte(c: number): JsonKind | undefined {
  return KINDS.get(c);
}

/** True if a byte order mark has this byte at this offset. */
export function isBomByte(c: number, offset: number): boolean {
  return c === BOM[offset];
}

/** The byte at an index that the caller knows to be within the chunk. */
export function byteAt(chunk: Uint8Array, at: number): number {
  return chunk[at] as number;
}

/** The index of the first byte from `from` on that is no white space; the chunk's length if there is none. */
export function skipSpace(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && isSpace(byteAt(chunk, at))) at += 1;
  return at;
}

export function isSpace(c: number): boolean {
  return c === SPACE || (c >= 9 && c <= 13);
}

/** True if a byte ends a number, true, false or null. */
export function endsWord(c: number): boolean {
  return c === COMMA || (c | SPACE) === CLOSE || isSpace(c) || c === COLON || c === QUOTE;
}
