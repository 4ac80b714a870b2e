import { isOfValues } from '../../run/outcomes/set-aside.ts';
import type { DuckDb, Row } from '../../runtime/duckdb.ts';
import { type Path, pathText } from '../../schema/columns/assign-names.ts';
import type { Sampled } from '../../schema/columns/sampled.ts';
import { leafColumn, leavesAndRecordsSql, leavesSql, type Slices } from '../../schema/leaves.ts';
import { idTextSql } from '../../schema/record-key.ts';
import { type Said, traitsOf } from './value-traits.ts';

/** Enough that some of them have a value in a column that a third of the records has. */
export const SAMPLED_RECORDS = 32;
/** In a large listing only these are read: its first records are the same on the next day. */
const SLICES = 32;

/** The longest value in bytes: a longer one is not a time, number or word. */
const LONGEST = 4096;

export interface ToSample {
  readonly slices: Slices;
  /** The field that identifies the records. */
  readonly field: string;
  readonly paths: readonly Path[];
  /** True if the records are few enough for a second reading. */
  readonly areFew: boolean;
  readonly at: string;
}

/**
 * What some records of each listing were like: those with the lowest hashes of their ids, so that each run takes the
 * same ones. A listing whose values stop the statement, such as records that are too large, has none.
 */
export async function sampleRecords(
  db: DuckDb,
  listings: readonly ToSample[],
): Promise<ReadonlyMap<ToSample, Sampled>> {
  try {
    return await sampled(db, listings);
  } catch (error) {
    if (!isOfValues(error)) throw error;
    if (listings.length < 2) return new Map();
  }
  // The values of one listing stop the statement of all.
  const alone: ReadonlyMap<ToSample, Sampled>[] = [];
  for (const listing of listings) alone.push(await sampleRecords(db, [listing]));
  return new Map(alone.flatMap((each) => [...each]));
}

/** All listings are one statement, because DuckDB plans for longer than it reads. */
async function sampled(db: DuckDb, listings: readonly ToSample[]): Promise<ReadonlyMap<ToSample, Sampled>> {
  if (listings.length === 0) return new Map();
  const values = listings.map((each, listing) => valuesSql(each, listing)).join(' union all ');
  const rows = await db.rows(`
    -- grain: listing, sampled record, path
    select
      listing,
      id,
      place,
      case
        when value is null or value = 'null' or value = '""' or is_no_number(value) then null
        when is_marked_number(value) or value >= '-' and value < ':' then 'number'
        when value < '#' then 'text'
        when value >= '[' and value < 'a' then 'list'
        when value >= 'u' then 'object'
        else 'boolean'
      end as kind,
      left(cell_text(value), 200) as text,
      epoch(text_moment(value).moment) as moment
    from (${values})
    order by listing, id, place`);
  const byListing = Map.groupBy(rows, (row) => Number(row['listing']));
  return new Map(listings.map((each, listing) => [each, sampledIn(each, byListing.get(listing) ?? [])]));
}

function sampledIn(listing: ToSample, rows: readonly Row[]): Sampled {
  const byPath = Map.groupBy(rows, (row) => Number(row['place']));
  const traits = listing.paths.map((path, place) => [
    pathText(path),
    traitsOf((byPath.get(place) ?? []).map(saidIn)),
  ]);
  return {
    at: listing.at,
    ids: [...new Set(rows.map((row) => String(row['id'])))],
    ...(!listing.areFew && { areFirst: true as const }),
    traits: Object.fromEntries(traits),
  };
}

/**
 * SQL of the sampled records' values. It chooses the records first, and reads the values of those alone. The hash of a
 * chosen record stands where the parent's id stood.
 */
function valuesSql({ slices, field, paths, areFew }: ToSample, listing: number): string {
  const few = areFew
    ? slices.sql
    : `select * from (${slices.sql}) order by parent_id, pass, page, slice limit ${SLICES}`;
  const records = leavesAndRecordsSql({ ...slices, sql: few }, [[field]]);
  const chosen = `
    select
      substr(md5(coalesce(parent_id, '') || ' ' || id), 1, 8) as parent_id,
      pass,
      page,
      slice,
      answered_at,
      '[' || record || ']' as records
    from (select *, ${idTextSql(leafColumn(0))} as id from (${records}))
    where id is not null
    order by 1
    limit ${SAMPLED_RECORDS}`;
  const columns = paths.map((_, index) => leafColumn(index));
  const values = columns.map((leaf) => `case when strlen(${leaf}) <= ${LONGEST} then ${leaf} end`);
  return `
      select
        ${listing} as listing,
        parent_id as id,
        unnest([${values.join(', ')}]) as value,
        generate_subscripts([${columns.join(', ')}], 1) - 1 as place
      from (${leavesSql({ sql: chosen, counts: undefined }, paths)})`;
}

function saidIn(row: Row): Said {
  const { kind, text, moment } = row;
  return {
    kind: typeof kind === 'string' ? kind : null,
    text: String(text ?? ''),
    moment: typeof moment === 'number' ? moment : null,
  };
}
