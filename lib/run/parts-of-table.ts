/**
 * Raw that one unit is to read, as it lies in the lake: about a tenth of its 512 MB of JSON. These are some 2 million
 * records, 20 of a Lambda's 900 seconds.
 */
export const UNIT_BYTES = 51_200_000;
/** Parts of a table: three children's are 768 units of 8 events, and the history of an execution holds 25,000. */
const MAX_PARTS = 256;

/** Parts of a child table with so much raw. */
export function partsOf(rawBytes: number, unitBytes: number): number {
  return Math.max(1, Math.min(MAX_PARTS, Math.ceil(rawBytes / unitBytes)));
}
