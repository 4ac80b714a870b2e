/** Totals, page numbers, cursors and next URLs are shorter. */
const KEPT_TEXT_BYTES = 1024;

/** Keeps the text of a token, up to 1 kB, also if it goes over several chunks. */
export interface Capture {
  /** A token begins at `at` of the current chunk. */
  readonly begin: (at: number) => void;
  /** The chunk ends inside the token. */
  readonly carry: (chunk: Uint8Array) => void;
  /** The token ends before `at`. Gives its text; null if it is longer than 1 kB. */
  readonly end: (chunk: Uint8Array, at: number) => string | null;
}

/** A capture without a token. */
export function createCapture(): Capture {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let from = 0;
  return {
    begin: (at) => {
      parts = [];
      bytes = 0;
      from = at;
    },
    carry: (chunk) => {
      const rest = chunk.subarray(from);
      const room = KEPT_TEXT_BYTES + 1 - bytes;
      // A copy, so that the chunk can be freed.
      if (room > 0) parts.push(Uint8Array.prototype.slice.call(rest, 0, room));
      bytes += rest.length;
      from = 0;
    },
    end: (chunk, at) => {
      const rest = chunk.subarray(from, at);
      return bytes + rest.length > KEPT_TEXT_BYTES ? null : Buffer.concat([...parts, rest]).toString();
    },
  };
}
