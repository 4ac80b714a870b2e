import { hash } from 'node:crypto';
import { quoteLiteral } from './sql.ts';

/** The parents with a hash of at least `from` and less than `to`. */
export interface HashRange {
  readonly from: string;
  readonly to: string;
}

/**
 * The stable hash of a parent's id, for the batches and units of its children: 32 hexadecimal digits,
 * compared as text. JavaScript and SQL compute the same: `hashSql`.
 */
export function parentHash(parentId: string): string {
  return hash('md5', parentId);
}

/** SQL of the hash of the id in a column. */
export function hashSql(column: string): string {
  return `md5(${column})`;
}

/** Parents in the order of their hashes. So any part of the list covers one range of hashes. */
export function inHashOrder(parents: readonly string[]): string[] {
  // For a million parents, the first 48 bits of each hash as numbers take 8 MB. The hashes as texts take 56 MB.
  const begins = new Float64Array(parents.length);
  const order = new Uint32Array(parents.length);
  for (const [index, id] of parents.entries()) {
    begins[index] = Number.parseInt(parentHash(id).slice(0, 12), 16);
    order[index] = index;
  }
  const begin = (index: number) => begins[index] ?? 0;
  const whole = (index: number) => parentHash(parents[index] ?? '');
  order.sort((a, b) => begin(a) - begin(b) || (whole(a) < whole(b) ? -1 : 1));
  return Array.from(order, (index) => parents[index] ?? '');
}

/** Ranges of the same width that cover all hashes. */
export function hashRanges(count: number): readonly HashRange[] {
  const bounds = Array.from({ length: count }, (_, index) => digits(index / count));
  return bounds.map((from, index) => ({ from, to: bounds[index + 1] ?? END }));
}

/** After every hash. */
const END = 'g';

function digits(share: number): string {
  return Math.floor(share * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

/** SQL condition: the hash of the id in a column is in the range; true without a range. */
export function inRangeSql(column: string, range: HashRange | undefined): string {
  if (range === undefined) return 'true';
  const own = hashSql(column);
  return `${own} >= ${quoteLiteral(range.from)} and ${own} < ${quoteLiteral(range.to)}`;
}
