import { isWhole } from './json-fault.ts';

/** Totals, page numbers, cursors and next URLs are shorter. */
const KEPT_BYTES = 1024;
const EMPTY = Buffer.alloc(0);

/** Keeps the text of a token, up to 1 kB, also across chunks. */
export interface Token {
  /** A token begins at `at` of the current chunk. */
  readonly begin: (at: number) => void;
  /** The chunk ends inside the token. */
  readonly carry: (chunk: Buffer) => void;
  /** The token ends before `at`. Returns its text; null if it is longer than 1 kB. */
  readonly end: (chunk: Buffer, at: number) => string | null;
}

/** A token that has not begun. */
export function createToken(): Token {
  let before: Buffer = EMPTY;
  let from = 0;
  return {
    begin: (at) => {
      before = EMPTY;
      from = at;
    },
    carry: (chunk) => {
      // A copy, so that the chunk can be freed. One byte too many shows that the token is too long.
      before = Buffer.concat([before, chunk.subarray(from)]).subarray(0, KEPT_BYTES + 1);
      from = 0;
    },
    end: (chunk, at) => {
      if (before.length + at - from > KEPT_BYTES) return null;
      if (before.length === 0) return chunk.toString('utf8', from, at);
      return Buffer.concat([before, chunk.subarray(from, at)]).toString();
    },
  };
}

/** The name in a key's text; empty where it is too long. */
export function nameOf(key: string | null): string {
  if (key === null) return '';
  if (!key.includes('\\')) return key.slice(1, -1);
  return isWhole(key) ? String(JSON.parse(key)) : key;
}
