import type { DuckDb } from '../runtime/duckdb.ts';
import type { SourceKind } from '../sources/kinds.ts';
import { RESOURCES } from '../sources/resources.ts';
import type { Sentence } from './sentence.ts';

/** Listings of a source that the newest run requested without an answer. */
export type Gap = Awaited<ReturnType<typeof readGaps>>[number];

/** True if the tables lack records because of it. A child listing is also missing without its parents. */
export function concerns(lists: readonly string[], { resource }: Pick<Gap, 'resource'>): boolean {
  return lists.some((table) => {
    const parent = RESOURCES.find(({ name }) => name === table)?.parent;
    return table === resource || parent === resource;
  });
}

/** What is not known of these tables. `since` is the first date that was read; empty = all. */
export function gapSentences(
  lists: readonly string[],
  { gaps, since }: { readonly gaps: readonly Gap[]; readonly since: string },
): readonly Sentence[] {
  return gaps.filter((gap) => concerns(lists, gap)).map((gap) => gapSentence(gap, since));
}

function gapSentence(gap: Gap, since: string): Sentence {
  const { source, resource, asked, unanswered, code, answeredOn } = gap;
  const never: Sentence =
    since === ''
      ? { text: 'never answered so far' }
      : { text: 'not answered since {since}', values: { since } };
  const last: Sentence =
    answeredOn === null ? never : { text: 'last answered on {answeredOn}', values: { answeredOn } };
  const what: Sentence =
    asked === 1
      ? { text: 'the listing {resource}', values: { resource } }
      : { text: '{unanswered} of {asked} listings of {resource}', values: { unanswered, asked, resource } };
  // The day of one listing says nothing of another.
  if (unanswered < asked)
    return { text: 'Not known: {what} of source {source} ({code}).', values: { what, source, code } };
  return {
    text: 'Not known: {what} of source {source} ({code}, {last}).',
    values: { what, source, code, last },
  };
}

/** The tables that say when a listing was last answered. */
export const TABLES_OF_GAPS: readonly string[] = ['outcomes_daily', 'runs'];

/** Whether a listing had no answer in the newest run of its source. */
export async function hasGaps(query: DuckDb['ask']): Promise<boolean> {
  const { rows } = await query(`
    -- grain: one row
    select count(*)
    from outcomes
    where outcome in ('denied', 'failed')`);
  return Number(rows[0]?.[0]) > 0;
}

/** The kinds of sources that the newest runs asked, whatever the answers were. */
export async function askedKinds(query: DuckDb['ask']): Promise<ReadonlySet<SourceKind>> {
  const { rows } = await query(`
    -- grain: a resource
    select distinct resource from outcomes`);
  const asked = new Set(rows.map(([resource]) => resource));
  return new Set(RESOURCES.filter(({ name }) => asked.has(name)).map(({ kind }) => kind));
}

/**
 * The listings that the newest run of each source could not read. Without any, the days of outcomes are not read. A
 * day keeps the outcomes of its last run alone: that an earlier one was answered, its rows say, or that it lacks nothing.
 */
export async function readGaps(query: DuckDb['ask']) {
  if (!(await hasGaps(query))) return [];
  const { rows } = await query(`
    -- grain: a source and a resource with a listing that was not answered
    with
      -- grain: a source, a resource and a run with rows of it
      kept as (
        select '' as export_source, '' as resource, '' as export_run_id where false${await runsOfRows(query)}
      ),
      -- grain: a source and a resource
      answered as (
        select export_source, resource, max(export_date) as answered_on
        from (
          select export_source, resource, export_date
          from outcomes_daily
          where outcome in ('ok', 'empty', 'gone')
          union all
          select export_source, resource, export_date
          from (select distinct export_source, resource, export_date from outcomes_daily) as days
          join runs using (export_source, export_date)
          left join kept using (export_source, resource, export_run_id)
          where kept.export_run_id is not null or (runs.denied + runs.failed = 0 and runs.ok + runs.empty + runs.gone > 0)
        ) as answers
        group by export_source, resource
      )
    select
      outcomes.export_source,
      outcomes.resource,
      count(*) as asked,
      count_if(outcome in ('denied', 'failed')) as unanswered,
      max(case when outcome in ('denied', 'failed') then error_code end) as code,
      max(answered.answered_on) as answered_on
    from outcomes
    left join answered
      on answered.export_source = outcomes.export_source and answered.resource = outcomes.resource
    group by outcomes.export_source, outcomes.resource
    having count_if(outcome in ('denied', 'failed')) > 0
    order by outcomes.export_source, outcomes.resource`);
  return rows.map(([source, resource, asked, unanswered, code, answeredOn]) => ({
    source: String(source),
    resource: String(resource),
    asked: Number(asked),
    unanswered: Number(unanswered),
    code: String(code),
    /** The last export_date with an answer for one of them; null without any. */
    answeredOn: answeredOn === null ? null : String(answeredOn),
  }));
}

/** SQL of the runs that the rows of each opened table are of. */
async function runsOfRows(query: DuckDb['ask']): Promise<string> {
  const { rows } = await query(`
    -- grain: a table or view
    select table_name
    from information_schema.tables`);
  const opened = new Set(rows.map(([name]) => name));
  return RESOURCES.map(({ name }) => {
    const table = [name, `${name}_daily`].find((each) => opened.has(each));
    if (table === undefined) return '';
    return `
        union all select distinct export_source, '${name}', export_run_id from ${table}`;
  }).join('');
}
