import * as z from 'zod';
import type { DuckDb, Row } from '../../runtime/duckdb.ts';
import { noteForm } from '../../sources/note.ts';
import { COLUMN_DOUBTS, questionForm, questionText } from '../../sources/question.ts';
import { RESOURCES } from '../../sources/resources.ts';
import { quoteLiteral } from '../../sql.ts';
import { RUN_STATUSES, type RunStatus } from '../payloads.ts';
import type { PlannedSource } from '../plan-file.ts';

const count = z.number().int().nonnegative();
const status = z.enum(RUN_STATUSES);

/** The code of a promised item without an answer in raw. */
export const NOT_COLLECTED = 'NOT_COLLECTED';
/** The code of items that the run had no time for. The source is then partial, never failed. */
export const SOURCE_SLOW = 'SOURCE_SLOW';

/** The first failure of a source, with the number of failures of each other resource and code. */
const failure = z.object({
  code: z.string(),
  message: z.string(),
  also: z
    .array(z.object({ resource: z.string(), code: z.string(), count }))
    .readonly()
    .exactOptional(),
});

/** What happened to a source. Times are ISO. */
export const sourceVerdict = z.object({
  name: z.string(),
  status,
  /** The number of records in its players or storages listing. */
  listed: count,
  outcomes: z.object({ ok: count, empty: count, gone: count, denied: count, failed: count }).readonly(),
  /** (ok + empty + gone) ÷ all outcomes; 1 where no listing was due. */
  coverage: z.number(),
  /** Only where the source failed because its coverage is below this; its parents were listed. */
  minCoverage: z.number().exactOptional(),
  requests: count,
  retries: count,
  /** When the last listing was answered (ok, empty, gone): the freshness of the source. Null without an answer. */
  observedAt: z.string().nullable(),
  /** When the last call ended, whatever its outcome. Null where no call was made. */
  endedAt: z.string().nullable(),
  /** What was seen and needs no answer. */
  notes: z.array(noteForm).readonly().default([]),
  /** Decisions to make, with their settings: about failures and doubts first, then drift, then columns. */
  questions: z.array(questionForm).readonly(),
  /** In words: columns with values that misfit their earlier type. */
  drift: z.array(z.string()).readonly(),
  /** Where it is not complete. */
  error: failure.readonly().exactOptional(),
});

export type SourceVerdict = Readonly<z.infer<typeof sourceVerdict>>;

/** The result of a run and of each source that it called. */
export const verdict = z.object({
  status,
  sources: z.array(sourceVerdict).readonly(),
});

export type Verdict = Readonly<z.infer<typeof verdict>>;

export interface VerdictOptions {
  readonly sources: readonly PlannedSource[];
  readonly minCoverage: number;
}

/** Makes the verdict on each source (counts, coverage, status, failures) and the run from `outcomes`. */
export async function verdictOf(db: DuckDb, { sources, minCoverage }: VerdictOptions): Promise<Verdict> {
  const rows = await db.rows(VERDICTS);
  const failures = await db.rows(FAILURES);
  const verdicts = sources.map((source): SourceVerdict => {
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
    const all = got + outcomes.denied + outcomes.failed + number('unasked');
    const coverage = all === 0 ? 1 : got / all;
    const isBelow = all > 0 && (got + number('slow')) / all < minCoverage;
    const parentsFailed = row === undefined || row.parents_failed === true;
    const status =
      parentsFailed || isBelow
        ? 'failed'
        : got < all ||
            number('doubts') > 0 ||
            [...source.asks, ...source.drift].some(({ code }) => COLUMN_DOUBTS.has(code))
          ? 'partial'
          : 'complete';
    const own = failures.filter((each) => each.source === source.name);
    const asked = [...(own.length === 0 ? [] : source.asksOfFailed), ...source.drift];
    const time = (name: string) => (typeof row?.[name] === 'string' ? row[name] : null);
    return {
      name: source.name,
      status,
      listed: number('listed'),
      outcomes,
      coverage,
      ...(!parentsFailed && isBelow && { minCoverage }),
      requests: number('requests'),
      retries: number('retries'),
      observedAt: time('observed_at'),
      endedAt: time('ended_at'),
      notes: source.notes,
      questions: [...asked.filter(({ cures }) => cures.length > 0), ...source.asks],
      drift: source.drift.map(questionText),
      ...errorOf(own),
    };
  });
  return { status: runStatus(verdicts), sources: verdicts };
}

function errorOf([first, ...others]: readonly Row[]): Pick<SourceVerdict, 'error'> {
  if (first === undefined) return {};
  const also = others.map(({ resource, error_code, count }) => ({
    resource: String(resource),
    code: String(error_code),
    count: Number(count),
  }));
  const error = { code: String(first.error_code), message: String(first.message) };
  return { error: also.length === 0 ? error : { ...error, also } };
}

/** Complete if all sources are, failed if all are, else partial. */
function runStatus(sources: readonly SourceVerdict[]): RunStatus {
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
    sum(unasked) as unasked,
    count(*) filter (error_code = ${quoteLiteral(SOURCE_SLOW)}) as slow,
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
