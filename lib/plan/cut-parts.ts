import { type HashRange, hashRanges, hashSql } from '../parent-hash.ts';
import { bytesOf, type RawOfResource } from '../run/raw-of-run.ts';
import { partCount } from '../run/unit.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { readParquet } from '../sql.ts';

/**
 * Cuts a child table by the hash of the parent, into parts of at most `unitBytes` of raw each. `raw` is that of the sources
 * that have answers to publish. A part has the parents in its range, or all without one, and the keys of their raw files
 * by source, those with most raw first.
 */
export async function cutParts(
  db: DuckDb,
  { raw, unitBytes }: { readonly raw: readonly RawOfResource[]; readonly unitBytes: number },
) {
  const count = partCount(bytesOf(raw), unitBytes);
  const bySize = raw.toSorted((a, b) => b.bytes - a.bytes);
  const whole = bySize.map(({ source, keys }) => ({ source, raw: keys }));
  if (count === 1) return [{ collected: whole }];
  const spans = await spansOf(db, raw);
  return hashRanges(count).map((range) => ({
    range,
    collected: whole
      .map((each) => ({ ...each, raw: each.raw.filter((key) => overlaps(spans.get(key), range)) }))
      .filter((each) => each.raw.length > 0),
  }));
}

/** The lowest and highest hash of the parents that have records in a raw file. */
interface Span {
  readonly first: string;
  readonly last: string;
}

function overlaps(span: Span | undefined, { from, to }: HashRange): boolean {
  return span !== undefined && span.first < to && span.last >= from;
}

/** The spans by key. The files themselves say which parents they hold. */
async function spansOf(db: DuckDb, raw: readonly RawOfResource[]): Promise<ReadonlyMap<string, Span>> {
  const keyOf = new Map(
    raw.flatMap(({ keys, paths }) => paths.map((path, index) => [path, keys[index] ?? ''])),
  );
  const own = hashSql('parent_id');
  const rows = await db.rows(`
    -- grain: raw file with records
    select filename, min(${own}) as first, max(${own}) as last
    from ${readParquet([...keyOf.keys()], 'filename')}
    where items > 0
    group by filename`);
  return new Map(
    rows.map(({ filename, first, last }) => [
      keyOf.get(String(filename)) ?? '',
      { first: String(first), last: String(last) },
    ]),
  );
}
