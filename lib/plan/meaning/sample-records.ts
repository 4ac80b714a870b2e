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
 * same ones. It lacks a listing with records that are too large for DuckDB to read them once more. Listings with few
 * records share a statement, because DuckDB plans its macros in 4 ms.
 */
export async function sampleRecords(
  db: DuckDb,
  listings: readonly ToSample[],
): Promise<ReadonlyMap<ToSample, Sampled>> {
  const few = listings.filter(({ areFew }) => areFew);
  const groups = [
    ...listings.filter(({ areFew }) => !areFew).map((each) => [each]),
    ...Map.groupBy(few, (each) => few.indexOf(each) % AT_ONCE).values(),
  ];
  const found = await sideBySide(groups, AT_ONCE, async (group) => {
    using own = await db.beside();
    return await sampledOf(own, group);
  });
  return new Map(found.flat());
}

type SampledListing = readonly [ToSample, Sampled];

/** If they fail together, each is sampled by itself, so that one hurts no other. */
async function sampledOf(db: DuckDb, group: readonly ToSample[]): Promise<readonly SampledListing[]> {
  try {
    return await sampled(db, group);
  } catch (error) {
    if (!isOfValues(error)) throw error;
    const found: SampledListing[] = [];
    if (group.length > 1) for (const each of group) found.push(...(await sampledOf(db, [each])));
    return found;
  }
}

async function sampled(db: DuckDb, group: readonly ToSample[]): Promise<readonly SampledListing[]> {
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
    from (${group.map(valuesSql).join(' union all ')})
    order by listing, id, place`);
  return group.map((each, listing) => {
    const own = rows.filter((row) => row['listing'] === listing);
    const ids = [...new Set(own.map((row) => String(row['id'])))];
    const byPath = Map.groupBy(own, (row) => Number(row['place']));
    const traits = each.paths.map((path, place) => [
      pathText(path),
      traitsOf((byPath.get(place) ?? []).map((row) => saidIn(row))),
    ]);
    const areFirst = !each.areFew && { areFirst: true as const };
    return [each, { at: each.at, ids, ...areFirst, traits: Object.fromEntries(traits) }];
  });
}

/** SQL of the sampled records' values. */
function valuesSql({ slices, field, paths, areFew }: ToSample, listing: number): string {
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
        ${listing} as listing,
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
