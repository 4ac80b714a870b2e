import { type HashRange, inRangeSql } from '../parent-hash.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Slices } from '../schema/leaves.ts';
import { isIn, quoteLiteral, readParquet } from '../sql.ts';
import type { RawOfResource } from './raw-of-run.ts';

/** The pass that wrote a raw file, read from the file's path. */
const PASS = `regexp_extract(filename, '/pass-(\\d+)/batch-\\d+\\.parquet$', 1)::integer`;

/** The source, resource and pass of a raw file, read from the file's path. */
const PLACE = `regexp_extract(filename, '/([^/]+)/([^/]+)/pass-(\\d+)/batch-\\d+\\.parquet$', ['source', 'resource', 'pass'])`;

/**
 * SQL with a row for each (parent, pass): how the parent's answer of that pass ended, and how many records it had. It
 * reads no bodies. All files are one scan, because planning time grows with the statement: a
 * hundred sources would plan for longest.
 */
export function answersSql(paths: readonly string[]): string {
  return `
    -- grain: source, resource, parent, pass
    select
      place.source as source,
      place.resource as resource,
      parent_id,
      place.pass::integer as pass,
      max(outcome) as outcome,
      max(error_code) as error_code,
      max(message) as message,
      max_by(status, page::bigint << 32 | slice) as status,
      coalesce(sum(attempts) filter (slice = 0), 0)::integer as attempts,
      coalesce(sum(greatest(attempts - 1, 0)) filter (slice = 0), 0)::integer as retries,
      max(answered_at) as observed_at,
      sum(items)::bigint as records
    from (select *, ${PLACE} as place from ${readParquet(paths, 'filename')})
    group by all`;
}

/** A number ranks faster than a structure. */
const MORE_THAN_PASSES = 1_000_000;

/**
 * SQL with a row for each parent of the relation `answers` from `answersSql`: the latest answer that did not
 * fail, else the latest. Its attempts are those of all passes.
 */
export function endedSql(answers: string): string {
  return `
  select
    source, resource, parent_id,
    arg_max(pass, rank) as pass,
    arg_max(outcome, rank) as outcome,
    arg_max(coalesce(error_code, ''), rank) as error_code,
    arg_max(coalesce(message, ''), rank) as message,
    arg_max(coalesce(status, 0), rank) as status,
    arg_max(observed_at, rank) as observed_at,
    arg_max(records, rank) as records,
    sum(attempts)::integer as attempts,
    sum(retries)::integer as retries
  from (
    select *, pass + case when outcome = 'failed' then 0 else ${MORE_THAN_PASSES} end as rank
    from ${answers}
    where outcome is not null
  )
  group by all`;
}

interface SlicesOptions extends Omit<RawOfResource, 'keys' | 'bytes'> {
  readonly range?: HashRange | undefined;
  /** The relation that says which of several answers to a parent counts. @default outcomes */
  readonly counted?: string;
  /** Whether all answers count; undefined = a query finds out. */
  readonly allCount?: boolean | undefined;
}

/** The slices of a resource's answers to the parents in the range. */
export async function slicesOf(db: DuckDb, options: SlicesOptions): Promise<Slices> {
  const { source, resource, paths, range, counted = 'outcomes', allCount } = options;
  const raw = readParquet(paths, 'filename');
  const inRange = inRangeSql('parent_id', range);
  const counts = `(coalesce(parent_id, ''), pass) in (
        select (coalesce(parent_id, ''), pass)
        from ${counted}
        where source = ${quoteLiteral(source)} and resource = ${quoteLiteral(resource)} and outcome = 'ok'
      )`;
  const doAllCount = async () => {
    const [row] = await db.rows(`
      select bool_and(${counts}) as all_count
      from (select parent_id, ${PASS} as pass from ${raw} where items > 0 and ${inRange})`);
    return row?.all_count !== false;
  };
  return {
    // The scan itself tests the range, before any JSON is parsed. The scan cannot test `counts`,
    // the condition that says which answers of a parent count.
    sql: `
      -- grain: slice
      select
        parent_id,
        ${PASS} as pass,
        page,
        slice,
        answered_at,
        coalesce(
          mended,
          case
            when records_from is null then body
            else '[' || substring(body, records_from + 1, records_to - records_from) || ']'
          end
        ) as records
      from ${raw}
      where items > 0 and body is not null and ${inRange}`,
    // This test takes a third of the reading time, so it is left out where all answers count.
    counts: (allCount ?? (await doAllCount())) ? undefined : counts,
  };
}

const NOTES = ['dialect', 'keys', 'large', 'notes', 'questions', 'facts'] as const;

/** The notes of list and collect in the metadata of one raw file. */
export interface RawNotes extends Readonly<Partial<Record<(typeof NOTES)[number], string>>> {
  /** The pass that wrote the file. */
  readonly pass: number;
}

export interface NotedRaw extends RawOfResource {
  /** The notes of each file, in the order of `paths`. */
  readonly notes: readonly RawNotes[];
}

/** The raw files with their notes, all read by one statement. */
export async function withNotes(db: DuckDb, raw: readonly RawOfResource[]): Promise<readonly NotedRaw[]> {
  const paths = raw.flatMap((each) => each.paths);
  if (paths.length === 0) return [];
  const rows = await db.rows(`
    -- grain: raw file, note
    select file_name, decode(key) as name, decode(value) as text
    from parquet_kv_metadata([${paths.map(quoteLiteral).join(', ')}])
    where ${isIn('decode(key)', NOTES)}`);
  const byPath = Map.groupBy(rows, ({ file_name }) => String(file_name));
  const notesOf = (path: string): RawNotes => ({
    pass: Number(/\/pass-(\d+)\/batch-\d+\.parquet$/.exec(path)?.[1]),
    ...Object.fromEntries((byPath.get(path) ?? []).map(({ name, text }) => [String(name), String(text)])),
  });
  return raw.map((each) => ({ ...each, notes: each.paths.map(notesOf) }));
}
