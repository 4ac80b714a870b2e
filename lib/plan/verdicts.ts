import type { RunStatus } from '../run/payloads.ts';
import type { SourceVerdict } from '../run/plan-file.ts';
import type { DuckDb, Row } from '../runtime/duckdb.ts';
import { RESOURCES } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { quoteLiteral } from '../sql.ts';

/** The verdict on each source: counts, coverage, status and failures. */
export async function verdictsOf(
  db: DuckDb,
  sources: readonly Source[],
  minCoverage: number,
): Promise<readonly SourceVerdict[]> {
  const rows = await db.rows(VERDICTS);
  const failures = await db.rows(FAILURES);
  return sources.map((source) => {
    const row = rows.find((each) => each.source === source.name);
    const number = (name: string) => Number(row?.[name] ?? 0);
    const outcomes = {
      ok: number('ok'),
      empty: number('empty'),
      gone: number('gone'),
      denied: number('denied'),
      failed: number('failed'),
    };
    const got = outcomes.ok + outcomes.empty + outcomes.gone;
    const all = got + outcomes.denied + outcomes.failed;
    const coverage = all === 0 ? 1 : got / all;
    const parentsFailed = row === undefined || row.parents_failed === true;
    const status =
      parentsFailed || coverage < minCoverage
        ? 'failed'
        : got < all || number('doubts') > 0
          ? 'partial'
          : 'complete';
    const time = (name: string) => (typeof row?.[name] === 'string' ? row[name] : null);
    return {
      name: source.name,
      status,
      listed: number('listed'),
      outcomes,
      coverage,
      requests: number('requests'),
      retries: number('retries'),
      observedAt: time('observed_at'),
      endedAt: time('ended_at'),
      asks: [],
      drift: [],
      ...errorOf(failures.filter((each) => each.source === source.name)),
    };
  });
}

function errorOf([first, ...others]: readonly Row[]): Pick<SourceVerdict, 'error'> {
  if (first === undefined) return {};
  const also = others.map(({ resource, error_code, count }) => ({
    resource: String(resource),
    code: String(error_code),
    count: Number(count),
  }));
  const error = { code: String(first.error_code), message: String(first.message), asks: [] };
  return { error: also.length === 0 ? error : { ...error, also } };
}

/** Complete if all sources are, failed if all are, else partial. */
export function statusOf(sources: readonly SourceVerdict[]): RunStatus {
  if (sources.every(({ status }) => status === 'complete')) return 'complete';
  return sources.every(({ status }) => status === 'failed') ? 'failed' : 'partial';
}

const PARENTS = RESOURCES.filter(({ parent, parentColumn }) => parent === null && parentColumn !== null)
  .map(({ name }) => quoteLiteral(name))
  .join(', ');

const VERDICTS = `
  -- grain: source
  select
    source,
    count(*) filter (outcome = 'ok') as ok,
    count(*) filter (outcome = 'empty') as empty,
    count(*) filter (outcome = 'gone') as gone,
    count(*) filter (outcome = 'denied') as denied,
    count(*) filter (outcome = 'failed') as failed,
    count(*) filter (outcome in ('ok', 'empty') and error_code is not null) as doubts,
    coalesce(sum(records) filter (resource in (${PARENTS})), 0) as listed,
    coalesce(bool_or(outcome in ('failed', 'denied', 'gone')) filter (resource in (${PARENTS})), true) as parents_failed,
    sum(attempts) as requests,
    sum(retries) as retries,
    strftime(
      max(observed_at) filter (outcome in ('ok', 'empty', 'gone')), '%Y-%m-%dT%H:%M:%S.%gZ'
    ) as observed_at,
    strftime(max(observed_at), '%Y-%m-%dT%H:%M:%S.%gZ') as ended_at
  from outcomes
  group by source`;

/** The order of failures, the most general listing first: without players, nothing else matters. */
const FIRST = `(parent_id is not null, resource not in (${PARENTS}), resource, parent_id)`;

const FAILURES = `
  -- grain: source, resource, code; the first failure of each source comes first
  select source, resource, error_code, count(*) as count, min_by(message, ${FIRST}) as message
  from outcomes
  where outcome in ('failed', 'denied') or (outcome in ('ok', 'empty') and error_code is not null)
  group by all
  order by min(${FIRST})`;
