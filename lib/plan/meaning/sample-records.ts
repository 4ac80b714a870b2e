import type { DuckDb } from '../../runtime/duckdb.ts';
import { StatementFailed } from '../../runtime/duckdb-errors.ts';
import { type Path, pathText } from '../../schema/columns/assign-names.ts';
import type { Sampled } from '../../schema/columns/sampled.ts';
import { leafColumn, leavesSql, type Slices } from '../../schema/leaves.ts';
import { idTextSql, type RecordKey } from '../../schema/record-key.ts';
import { type Said, traitsOf } from './value-traits.ts';

/** Enough that some of them have a value in a column that a third of the records has. */
export const SAMPLED_RECORDS = 32;
/** In a large listing only these are read: its first records are the same on the next day. */
const SLICES = 32;

/** The longest value in bytes: a longer one is not a time, number or word. */
const LONGEST = 4096;

export interface SampleOptions {
  readonly db: DuckDb;
  readonly slices: Slices;
  readonly key: RecordKey | undefined;
  readonly paths: readonly Path[];
  /** True if the records are few enough for a second reading. */
  readonly areFew: boolean;
  readonly at: string;
}

/**
 * What some records were like: those with the lowest hashes of their ids, so that each run takes the same
 * ones. Undefined without ids, or where the records are too large for DuckDB to read them once more.
 */
export async function sampleRecords(options: SampleOptions): Promise<Sampled | undefined> {
  try {
    return await sampled(options);
  } catch (error) {
    if (error instanceof StatementFailed) return undefined;
    throw error;
  }
}

async function sampled(options: SampleOptions): Promise<Sampled | undefined> {
  const { db, slices, key, paths, areFew, at } = options;
  if (key?.kind !== 'field' || paths.length === 0) return undefined;
  const few = areFew
    ? slices.sql
    : `select * from (${slices.sql}) order by parent_id, pass, page, slice limit ${SLICES}`;
  const leaves = leavesSql({ ...slices, sql: few }, [[key.field], ...paths]);
  const columns = paths.map((_, index) => leafColumn(index + 1));
  const values = columns.join(', ');
  const short = columns
    .map((leaf) => `case when strlen(${leaf}) <= ${LONGEST} then ${leaf} end as ${leaf}`)
    .join(', ');
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
    from (
      select id, unnest([${values}]) as value, generate_subscripts([${values}], 1) - 1 as place
      from (
        select substr(md5(coalesce(parent_id, '') || ' ' || id), 1, 8) as id, ${short}
        from (select *, ${idTextSql(leafColumn(0))} as id from (${leaves}))
        where id is not null
        order by 1
        limit ${SAMPLED_RECORDS}
      )
    )
    order by id, place`);
  const ids = [...new Set(rows.map((row) => String(row['id'])))];
  const byPath = Map.groupBy(rows, (row) => Number(row['place']));
  const traits = paths.map((path, place) => [
    pathText(path),
    traitsOf((byPath.get(place) ?? []).map((row) => saidIn(row))),
  ]);
  return { at, ids, ...(!areFew && { areFirst: true as const }), traits: Object.fromEntries(traits) };
}

function saidIn(row: Readonly<Record<string, unknown>>): Said {
  const { kind, text, moment } = row;
  return {
    kind: typeof kind === 'string' ? kind : null,
    text: String(text ?? ''),
    moment: typeof moment === 'number' ? moment : null,
  };
}
