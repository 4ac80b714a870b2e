import { SLICE_BYTES } from './scan.ts';

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * True if a list of this JSON is closed as an object, or an object as a list: `[{"a":1]`. The scanner only counts brackets
 * within a record, so it takes such a body for one that was cut off. A server that writes it writes it again.
 */
export function closesWrongly(read: (from: number, to: number) => Buffer, bytes: number): boolean {
  const closers: number[] = [];
  let inString = false;
  let isEscaped = false;
  for (let from = 0; from < bytes; from += SLICE_BYTES) {
    for (const byte of read(from, Math.min(bytes, from + SLICE_BYTES))) {
      if (isEscaped) isEscaped = false;
      else if (inString) {
        isEscaped = byte === BACKSLASH;
        inString = byte !== QUOTE;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_LIST) closers.push(CLOSE_LIST);
      else if (byte === OPEN_OBJECT) closers.push(CLOSE_OBJECT);
      else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && closers.pop() !== byte) return true;
    }
  }
  return false;
}
