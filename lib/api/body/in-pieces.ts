import { CallFault } from '../call-fault.ts';
import type { Body } from './body.ts';

/**
 * The body, of which at most so many bytes are read at once: by that, the memory that one record takes is bounded, and that
 * of what stands around the records. `read` throws CallFault RECORD_TOO_LARGE.
 */
export function inPieces(body: Body, maxBytes: number): Body {
  return {
    ...body,
    read: (from, to) => {
      if (to - from <= maxBytes) return body.read(from, to);
      throw new CallFault(
        'RECORD_TOO_LARGE',
        `one record, or what stands around the records, is larger than ${maxBytes} bytes`,
      );
    },
  };
}
