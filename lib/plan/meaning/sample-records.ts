import { instead } from '../../errors.ts';
import { isOfValues } from '../../run/outcomes/set-aside.ts';
import type { DuckDb } from '../../runtime/duckdb.ts';
import { type Path, pathText } from '../../schema/columns/assign-names.ts';
import type { Sampled } from '../../schema/columns/sampled.ts';
import { leafColumn, leavesSql, type Slices } from '../../schema/leaves.ts';
import { idTextSql } from '../../schema/record-key.ts';
import { sideBySide } from '../../side-by-side.ts';
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

/** How many statements read records in parallel. */
const AT_ONCE = 2;

/**
 * What some records of each listing were like: those with the lowest hashes of their ids, so that each run takes the
 * same ones. A listing whose values stop the statement, such as records that are too large, has none.
 */
export async function sampleRecords(
  db: DuckDb,
  listings: readonly ToSample[],
): Promise<ReadonlyMap<ToSample, Sampled>> {
  const found = await sideBySide(listings, AT_ONCE, async (listing) => {
    using own = await db.beside();
    const traits = sampled(own, listing).then((found) => [[listing, found] as const]);
    return await traits.catch(instead(isOfValues, []));
  });
  return new Map(found.flat());
}

async function sampled(db: DuckDb, listing: ToSample): Promise<Sampled> {
  const rows = await db.rows(`
    -- grain: sampled record, path
    select
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
    from (${valuesSql(listing)})
    order by id, place`);
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

/** SQL of the sampled records' values. */
function valuesSql({ slices, field, paths, areFew }: ToSample): string {
  const few = areFew
    ? slices.sql
    : `select * from (${slices.sql}) order by parent_id, pass, page, slice limit ${SLICES}`;
  const leaves = leavesSql({ ...slices, sql: few }, [[field], ...paths]);
  const columns = paths.map((_, index) => leafColumn(index + 1));
  const values = columns.join(', ');
  const short = columns
    .map((leaf) => `case when strlen(${leaf}) <= ${LONGEST} then ${leaf} end as ${leaf}`)
    .join(', ');
  return `
      select
        id,
        unnest([${values}]) as value,
        generate_subscripts([${values}], 1) - 1 as place
      from (
        select substr(md5(coalesce(parent_id, '') || ' ' || id), 1, 8) as id, ${short}
        from (select *, ${idTextSql(leafColumn(0))} as id from (${leaves}))
        where id is not null
        order by 1
        limit ${SAMPLED_RECORDS}
      )`;
}

function saidIn(row: Readonly<Record<string, unknown>>): Said {
  const { kind, text, moment } = row;
  return {
    kind: typeof kind === 'string' ? kind : null,
    text: String(text ?? ''),
    moment: typeof moment === 'number' ? moment : null,
  };
}
