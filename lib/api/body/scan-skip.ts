export const QUOTE = 0x22;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const SPACE = 0x20;
const BACKSLASH = 0x5c;
/** `{` and `[` with the bit 0x20 set; no other byte becomes this. */
const OPEN = 0x7b;
/** `}` and `]` with the bit 0x20 set; no other byte becomes this. */
export const CLOSE = 0x7d;

/** The byte at an index that is known to be within the chunk. */
export function byteAt(chunk: Uint8Array, at: number): number {
  return chunk[at] as number;
}

/** The state of a skip that goes on in the next chunk. */
export interface Skip {
  /** Open brackets of the record. */
  depth: number;
  /** Colons of the body so far, which count its members. */
  colons: number;
  inString: boolean;
  /** True after a backslash. */
  escaped: boolean;
}

/**
 * The index after the record, or the chunk's length; -1 where it is deeper than `deepest`. In this hot loop
 * only strings, brackets and colons matter.
 */
export function skipRecord(
  chunk: Buffer,
  { from, skip, deepest }: { readonly from: number; readonly skip: Skip; readonly deepest: number },
): number {
  const length = chunk.length;
  let at = skip.inString ? skipString(chunk, from, skip) : from;
  if (at === -1) return length;
  let { depth, colons } = skip;
  while (at < length) {
    const c = byteAt(chunk, at);
    at += 1;
    if (c === QUOTE) {
      at = skipString(chunk, at, skip);
      if (at === -1) at = length;
    } else if (c === COLON) {
      colons += 1;
    } else if (c > 0x5a) {
      const bracket = c | SPACE;
      if (bracket === OPEN) {
        depth += 1;
        if (depth > deepest) return -1;
      } else if (bracket === CLOSE) {
        depth -= 1;
        if (depth === 0) break;
      }
    }
  }
  skip.depth = depth;
  skip.colons = colons;
  return at;
}

/** The index after the string's closing quote; -1 if the chunk ends first. */
export function skipString(chunk: Buffer, from: number, skip: Skip): number {
  const length = chunk.length;
  let at = skip.escaped ? from + 1 : from;
  while (at < length) {
    const c = byteAt(chunk, at);
    at += 1;
    if (c === QUOTE) {
      skip.inString = false;
      skip.escaped = false;
      return at;
    }
    if (c === BACKSLASH) at += 1;
  }
  skip.escaped = at > length;
  skip.inString = true;
  return -1;
}

export function isSpace(c: number): boolean {
  return c === SPACE || c === 10 || c === 13 || c === 9;
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
