import { type HashRange, hashRanges, hashSql } from '../parent-hash.ts';
import { partsOf } from '../run/parts-of-table.ts';
import type { RawOfResource } from '../run/raw-of-run.ts';
import type { ResourceUnit } from '../run/unit.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { quoteLiteral } from '../sql.ts';

/** What one unit publishes of a table: the parents in the range (all without a range), and the raw that has them. */
export type Part = Pick<ResourceUnit, 'range' | 'collected'>;

export interface CutPartsOptions {
  readonly db: DuckDb;
  /** The raw of the table's sources that have answers to publish. */
  readonly raw: readonly RawOfResource[];
  readonly unitBytes: number;
}

/** Cuts a child table by the hash of the parent, into parts of at most `unitBytes` of raw each. */
export async function cutParts({ db, raw, unitBytes }: CutPartsOptions): Promise<readonly Part[]> {
  const count = partsOf(
    raw.reduce((sum, each) => sum + each.bytes, 0),
    unitBytes,
  );
  if (count === 1) return [{ collected: raw.map(({ source, keys }) => ({ source, raw: keys })) }];
  const spans = new Map<string, readonly Span[]>();
  for (const each of raw) spans.set(each.source, await spansOf(db, each));
  return hashRanges(count).map((range) => ({
    range,
    collected: [...spans].flatMap(([source, files]) => {
      const own = files.filter((file) => overlaps(file, range));
      return own.length === 0 ? [] : [{ source, raw: own.map(({ key }) => key) }];
    }),
  }));
}

/** A raw file with the lowest and highest hash of the parents that have records in it. */
interface Span {
  readonly key: string;
  readonly first: string;
  readonly last: string;
}

function overlaps({ first, last }: Span, { from, to }: HashRange): boolean {
  return first < to && last >= from;
}

/** Asks the files themselves which parents they hold, for they come from many batches, passes and repairs. */
async function spansOf(db: DuckDb, { keys, paths }: RawOfResource): Promise<readonly Span[]> {
  const own = hashSql('parent_id');
  const rows = await db.rows(`
    -- grain: raw file with records
    select filename, min(${own}) as first, max(${own}) as last
    from read_parquet([${paths.map(quoteLiteral).join(', ')}], filename = true, hive_partitioning = false)
    where items > 0
    group by filename
    order by filename`);
  return rows.map(({ filename, first, last }) => {
    const key = keys[paths.indexOf(String(filename))];
    if (key === undefined) throw new Error(`${filename} is no raw file of the run`);
    return { key, first: String(first), last: String(last) };
  });
}
