/**
 * The most bytes of raw files for one unit. They unpack to about 512 MB of JSON, some 2 million records,
 * which take 20 of a Lambda's 900 seconds.
 */
export const UNIT_BYTES = 51_200_000;
/**
 * The most parts of one table. Three child tables make 768 units of 8 events each; the history of an
 * execution holds 25,000 events.
 */
const MAX_PARTS = 256;

/** Into how many parts a child table with this many bytes of raw is cut. */
export function partsOf(rawBytes: number, unitBytes: number): number {
  return Math.max(1, Math.min(MAX_PARTS, Math.ceil(rawBytes / unitBytes)));
}
