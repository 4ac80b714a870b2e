import { CallFault } from '../call-fault.ts';
import { CHILD_RECORD_BYTES, RECORD_VALUES } from '../limits.ts';
import type { Body } from './body.ts';

/**
 * A body that reads at most `maxBytes` at once. This bounds the memory of one record, and of the text around
 * the records. `read` throws CallFault RECORD_TOO_LARGE.
 */
export function inPieces(body: Body, maxBytes: number): Body {
  return {
    ...body,
    read: (from, to) => {
      if (to - from > maxBytes) throw tooLarge(`is larger than ${maxBytes} bytes`);
      const bytes = body.read(from, to);
      if (bytes.length > CHILD_RECORD_BYTES && commasIn(bytes) >= RECORD_VALUES)
        throw tooLarge(`has more than ${RECORD_VALUES} values`);
      return bytes;
    },
  };
}

function tooLarge(why: string): CallFault {
  return new CallFault('RECORD_TOO_LARGE', `one record, or the text around the records, ${why}`);
}

/** A comma is between any two values; those in texts count too. */
function commasIn(bytes: Buffer): number {
  let commas = 0;
  for (const byte of bytes) if (byte === COMMA) commas += 1;
  return commas;
}

const COMMA = 0x2c;
