import { answersSql, endedSql } from '../../run/answers.ts';
import type { ListingsOfSource } from '../../run/outcomes/set-aside.ts';
import type { RawOfResource } from '../../run/raw-of-run.ts';
import { childrenOf, RESOURCES } from '../../sources/resources.ts';
import { emptyRelation, isIn, ofType, quoteLiteral } from '../../sql.ts';
import { type Promises, promisedSql } from './promised.ts';

/** If so many parents answer 404 or 410 to a child listing, the API has renamed its path. */
const MISSING_AT_LEAST = 10;
/** A listing that loses so many records at once, or half of a few, waits for a person. */
const SHRUNK_AT_LEAST = 10;

/** The children of a source's parents, where some answers of this run show that pages follow or do not. */
export interface PagedChildren extends ListingsOfSource {
  /** `resources.NAME.complete` */
  readonly isDeclaredComplete: boolean;
}

export interface OutcomesOptions extends Promises {
  readonly raw: readonly RawOfResource[];
  /** By source: requested parents that the listing lacks. Their answers show what a gone parent looks like. */
  readonly unlisted: ReadonlyMap<string, readonly string[]>;
  readonly paged: readonly PagedChildren[];
  /** SQL of the committed listings' sizes, with the columns source, resource, parent_id, records. */
  readonly before: string;
  readonly maxShrink: number;
  readonly acceptShrink: readonly string[];
}

/**
 * The statements that make the table `outcomes`: one row with one outcome for every promised (source,
 * resource, parent). `pass` says where its deciding answer is in raw. If plan itself calls it failed, `says`
 * is what plan saw, and `choices` are possible values of the setting. Notes come into `note` later.
 */
export function outcomesSql(options: OutcomesOptions): readonly string[] {
  const paths = options.raw.flatMap((each) => each.paths);
  return [
    `create or replace temp table promised as ${promisedSql(options)}`,
    `create or replace temp table answers as ${paths.length === 0 ? EMPTY_ANSWERS : answersSql(paths)}`,
    `create or replace table outcomes as ${judgedSql(options)}`,
  ];
}

const EMPTY_ANSWERS = emptyRelation([
  ...ofType('varchar', 'source', 'resource', 'parent_id', 'outcome', 'error_code', 'message'),
  ...ofType('bigint', 'pass', 'status', 'attempts', 'retries', 'records'),
  ...ofType('timestamp', 'observed_at'),
]);

function isFarFewer(before: string, now: string, maxShrink: number): string {
  return `(${before} - ${now} >= ${SHRUNK_AT_LEAST} and ${before} - ${now} > ${maxShrink} * ${before})`;
}

/** SQL: true of requested parents that the listing lacks. */
function isUnlistedSql({ unlisted }: OutcomesOptions): string {
  const parents = [...unlisted].flatMap(([source, ids]) => ids.map((id) => [source, id]));
  return isIn('(source, parent_id)', parents);
}

/**
 * SQL that is true if an answer of one full page is complete, although there were pages before. The config
 * may say that listings are whole. Or other parents' answers lead on, and this parent had no more before.
 */
function isFullPageSql({ paged }: OutcomesOptions): string {
  const isAmong = (children: readonly PagedChildren[]) => {
    const places = children.map(({ source, resource }) => [source, resource]);
    return isIn('(source, resource)', places);
  };
  const declared = paged.filter(({ isDeclaredComplete }) => isDeclaredComplete);
  return `coalesce(
        outcome = 'ok' and error_code = 'SHAPE_CHANGED' and parent_id is not null and ${isAmong(paged)}
        and (coalesce(before.records, 0) <= answered.records or ${isAmong(declared)}),
        false
      )`;
}

/**
 * SQL that is true if an answer has no real doubt. The doubt may be about one full page (see
 * `isFullPageSql`). Or the parent has no records and had none before, as with an empty queue.
 */
function isNoDoubtSql(options: OutcomesOptions): string {
  return `(${isFullPageSql(options)} or (
        outcome = 'empty' and coalesce(error_code = 'EMPTY_UNPROVEN', false) and coalesce(before.records, 0) = 0
      ))`;
}

/** A doubtful empty listing keeps its records, and has lost none. */
const IS_COUNTED = `outcome in ('ok', 'empty') and error_code is distinct from 'EMPTY_UNPROVEN'`;

/** SQL of how many children a listing that lacks parents promised and nobody asked for. */
const UNASKED = `case resource
        ${RESOURCES.flatMap(({ name }) => {
          const children = childrenOf(name);
          const names = children.map((child) => child.name);
          const asked = `(
            select coalesce(sum(gone.parents), 0)
            from gone
            where gone.source = flagged.source and ${isIn('gone.resource', names)}
          )`;
          return children.length === 0
            ? []
            : [`when ${quoteLiteral(name)} then greatest(0, ${children.length} * records_before - ${asked})`];
        }).join(' ')}
        else 0
      end`;

function judgedSql(options: OutcomesOptions): string {
  const isNoDoubt = isNoDoubtSql(options);
  const isUnlisted = isUnlistedSql(options);
  const { maxShrink, acceptShrink } = options;
  const accepted = isIn('joined.source', acceptShrink);
  return `
    -- grain: what a listing promised
    with ended as (${endedSql('answers')}),
    before as (${options.before}),
    answered as (
      select
        promised.source,
        promised.resource,
        promised.parent_id,
        ended.pass,
        coalesce(ended.outcome, 'failed') as outcome,
        case when ended.outcome is null then promised.code else nullif(ended.error_code, '') end as error_code,
        case when ended.outcome is null then promised.message else nullif(ended.message, '') end as message,
        case when ended.outcome is null then promised.says end as says,
        promised.choices,
        nullif(ended.status, 0) as http_status,
        coalesce(ended.attempts, 0) as attempts,
        coalesce(ended.retries, 0) as retries,
        ended.observed_at,
        coalesce(ended.records, 0) as records
      from promised
      left join ended
        on ended.source = promised.source
        and ended.resource = promised.resource
        and ended.parent_id is not distinct from promised.parent_id
    ),
    -- the server's answers for gone parents
    known_gone as (
      select distinct source, resource, message
      from answered
      where error_code = 'GONE_UNPROVEN' and ${isUnlisted}
    ),
    joined as (
      select
        answered.* replace (
          case when known_gone.message is null then outcome else 'gone' end as outcome,
          case
            when known_gone.message is not null then 'NOT_FOUND'
            when not ${isNoDoubt} then error_code
          end as error_code,
          case when not ${isNoDoubt} then message end as message
        )
      from answered
      left join known_gone using (source, resource, message)
      left join before using (source, resource, parent_id)
    ),
    gone as (
      select source, resource, count(*) filter (outcome = 'gone') as gone, count(*) as parents, bool_or(not ${isUnlisted}) as has_listed
      from joined
      where parent_id is not null
      group by all
    ),
    -- the requested children that were there before, those of all parents together
    together as (
      select source, resource, sum(before.records) as records_before, sum(joined.records) as records
      from joined
      join before using (source, resource, parent_id)
      where ${IS_COUNTED}
      group by all
    ),
    flagged as (
      select
        joined.*,
        gone.gone,
        gone.parents,
        outcome = 'gone' and (
          joined.parent_id is null
          -- who says that it is right that parents are gone says so of their children
          or gone.gone = gone.parents and (gone.has_listed or not (${accepted}))
          or (gone.gone >= ${MISSING_AT_LEAST} and gone.gone > ${maxShrink} * gone.parents and not (${accepted}))
        ) as is_missing,
        ${IS_COUNTED} and not (${accepted}) and case
          when joined.parent_id is null then
            before.records - joined.records > ${maxShrink} * before.records
            and before.records - joined.records >= least(${SHRUNK_AT_LEAST}, before.records / 2)
          -- a player may lose its few screens; many of one, or of all, are no such day
          when before.records > joined.records then
            ${isFarFewer('before.records', 'joined.records', maxShrink)}
            or ${isFarFewer('together.records_before', 'together.records', maxShrink)}
          else false
        end as has_shrunk,
        before.records as records_before,
        together.records_before as together_before,
        together.records as together_now
      from joined
      left join gone on gone.source = joined.source and gone.resource = joined.resource
      left join before
        on before.source = joined.source
        and before.resource = joined.resource
        and before.parent_id is not distinct from joined.parent_id
      left join together on together.source = joined.source and together.resource = joined.resource
    )
    select
      source, resource, parent_id, pass,
      case when is_missing or has_shrunk then 'failed' else outcome end as outcome,
      case
        when is_missing then 'RESOURCE_MISSING'
        when has_shrunk then 'LISTING_SHRANK'
        else error_code
      end as error_code,
      case
        when is_missing then null
        when has_shrunk
          then 'The listing has ' || records || ' records and had ' || records_before
            || case
              when parent_id is null then ''
              else ', those of all parents together ' || together_now || ' and had ' || together_before
            end
            || ': held back until a run with --accept-shrink ' || source || '.'
        else message
      end as message,
      case
        when is_missing then 'The server has no ' || resource
          || case when parent_id is null then '' else ' for ' || gone || ' of ' || parents || ' parents' end
          || coalesce(' (HTTP ' || http_status || ')', '')
          || ': its path was renamed, or the API version changed'
        when not has_shrunk then says
      end as says,
      choices,
      http_status, attempts, retries, observed_at, records,
      case when has_shrunk then ${UNASKED} else 0 end as unasked,
      null::varchar as note
    from flagged`;
}
