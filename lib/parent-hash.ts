import { hash } from 'node:crypto';
import { quoteLiteral } from './schema/sql.ts';

/** Parents whose hash is `from` or behind it, and before `to`. */
export interface HashRange {
  readonly from: string;
  readonly to: string;
}

/**
 * The stable hash of a parent's id, by which its children are batched and published: 32 hexadecimal digits, compared as
 * text. JavaScript and SQL compute the same: `hashSql`.
 */
export function hashOf(parentId: string): string {
  return hash('md5', parentId);
}

/** SQL of the hash of the id in a column. */
export function hashSql(column: string): string {
  return `md5(${column})`;
}

/** Parents in the order of their hashes: any run of them has a range of its own. */
export function inHashOrder(parents: readonly string[]): string[] {
  return parents
    .map((id) => ({ id, hash: hashOf(id) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ id }) => id);
}

/** All hashes, cut into so many ranges of the same width. */
export function hashRanges(count: number): readonly HashRange[] {
  const bounds = Array.from({ length: count }, (_, index) => digits(index / count));
  return bounds.map((from, index) => ({ from, to: bounds[index + 1] ?? END }));
}

/** Behind every hash. */
const END = 'g';

function digits(share: number): string {
  return Math.floor(share * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

/** SQL condition: whether the hash of the id in a column lies in the range; true without one. */
export function inRangeSql(column: string, range: HashRange | undefined): string {
  if (range === undefined) return 'true';
  const own = hashSql(column);
  return `${own} >= ${quoteLiteral(range.from)} and ${own} < ${quoteLiteral(range.to)}`;
}
