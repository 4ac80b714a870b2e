import type { Config } from '../config/config.ts';
import type { Schedule } from '../config/schedule.ts';
import { LEASE_SPARE_MS } from '../run/keep-lease.ts';
import { METRICS } from '../runtime/metrics.ts';
import { keptDays, limitsOf, SOURCES_AT_ONCE } from './limits.ts';
import { ALARM_METRICS, PRICES } from './prices.ts';
import { RAW_BYTES, type RunCounters, runCounters, type SourceSize, sum } from './run-counters.ts';

interface EstimateOptions {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly sizes: readonly SourceSize[];
  /** The stack's settings of each Lambda. */
  readonly stages: readonly {
    readonly name: string;
    readonly memoryMiB: number;
    readonly timeoutSeconds: number;
  }[];
  /** Seconds that the API takes for an answer. */
  readonly latencySeconds: number;
  /** Records below a parent, all its child listings together. */
  readonly recordsPerParent: number;
}

export type Estimate = ReturnType<typeof estimate>;

/** Bytes of a call to an API, with its headers and its share of TLS, and of the compressed answer. */
const CALL_OUT_BYTES = 500;
const CALL_BACK_BYTES = 1500;
/** Bytes of the log lines of one Lambda's call, with those of Lambda itself. */
const LOG_BYTES = 2000;
const MONTH_HOURS = 730;
const MONTH_DAYS = 30;
/** Bytes of a day in all tables for one parent with the usual records below it, compressed: twice the simulator's. */
const DAY_BYTES_A_PARENT = 430;
const USUAL_RECORDS = 5;
/** Days that are kept for ever count as after a year. */
const YEAR_DAYS = 365;
/** Seconds before a Lambda's work begins: a new execution environment and the first reads. */
const BEGIN_SECONDS = 1.5;
/**
 * Records that plan, or publish, handles in a second: a quarter of a laptop's, because S3 is slower than a
 * disk.
 */
const RECORDS_A_SECOND = 100_000;
/** Seconds of plan, and of all units of publish, for each source: 0.2 CPU seconds each, and reads of 30 ms. */
const PLAN_SECONDS_A_SOURCE = 0.1;
const PUBLISH_SECONDS_A_SOURCE = 0.1;
/** Seconds for the page and the news: 3 s of DuckDB and its files, then 10 s for 25,000 parents. */
const PAGE_SECONDS = 12;
const PAGE_PARENTS_A_SECOND = 2500;
/** What the news put: the page of the run and of its date, and two notes. */
const NEWS_PUTS = 4;

/** The cost of a month: the parts that matter, each by a formula within a fifth. Counters are those of a good run. */
export function estimate(options: EstimateOptions) {
  const { config, schedule, sizes, stages, recordsPerParent } = options;
  const counters = runCounters(sizes);
  const runs = schedule.runsAMonth;
  const { gbSeconds, seconds, askSeconds, pageSeconds } = lambdaTime(options, counters);
  const parents = sum(sizes.map((size) => size.parents));
  const { timeoutSeconds: mostPageSeconds = 0 } = stages.find(({ name }) => name === 'news') ?? {};
  // Each unit writes a part of `changes`. With several runs a day, a later run also writes the parts of changes,
  // rejects and runs of the earlier run again.
  const again = counters.units + (runs > MONTH_DAYS + 1 ? 3 : 0) + NEWS_PUTS;
  const puts = counters.puts + again + Math.floor((seconds * 1000) / LEASE_SPARE_MS);
  const perRun = { ...counters, puts, seconds, askSeconds, gbSeconds };
  const rawDays = (runs * config.rawRetentionDays) / MONTH_DAYS;
  const dayBytes = (DAY_BYTES_A_PARENT * (1 + recordsPerParent)) / (1 + USUAL_RECORDS);
  const storedGb =
    (parents * (RAW_BYTES * rawDays + dayBytes * keptDays({ config, schedule }, YEAR_DAYS))) / 1e9;
  const names = [
    ...sizes.map(({ source }) => source.secret),
    ...[config.maskSecret, config.notify?.webhookSecret].filter((name) => name !== undefined),
  ];
  const apiLambdas = sizes.length + sum(counters.collects);
  const monthly = {
    lambda: runs * (gbSeconds * PRICES.lambdaGbSecond.arm64 + perRun.lambdas * PRICES.lambdaRequest),
    stepFunctions: runs * perRun.transitions * PRICES.transition,
    s3:
      runs * (puts * PRICES.s3Put + perRun.lists * PRICES.s3List + perRun.gets * PRICES.s3Get) +
      storedGb * PRICES.s3GbMonth,
    network: networkOfAMonth(config, runs * perRun.calls),
    watching:
      PRICES.dashboardMonth +
      // A metric is charged for the hours in which a run reports it.
      Object.keys(METRICS).length * PRICES.metricMonth * Math.min(1, runs / MONTH_HOURS) +
      ALARM_METRICS * PRICES.alarmMetricMonth +
      ((runs * perRun.lambdas * LOG_BYTES) / 1e9) * PRICES.logGb,
    secrets: new Set(names).size * PRICES.secretMonth + runs * apiLambdas * PRICES.secretCall,
  };
  return {
    perRun,
    ...schedule,
    /** USD a month, by what is charged. */
    monthly,
    totalUsd: sum(Object.values(monthly)),
    limits: limitsOf({ config, perRun, schedule, parents, pageSeconds, mostPageSeconds }),
    asOf: PRICES.asOf,
  };
}

/** The calls out, and a NAT gateway for each subnet of `vpc`, by the hour and by the gigabyte. */
function networkOfAMonth({ vpc }: Config, calls: number): number {
  const out = ((calls * CALL_OUT_BYTES) / 1e9) * PRICES.egressGb;
  if (vpc === undefined) return out;
  const gb = (calls * (CALL_OUT_BYTES + CALL_BACK_BYTES)) / 1e9;
  return out + vpc.subnetIds.length * MONTH_HOURS * PRICES.natHour + gb * PRICES.natGb;
}

/** Seconds from start to commit, those until all is answered, those of the page, and GB-seconds of all Lambdas. */
function lambdaTime(
  { sizes, stages, latencySeconds, recordsPerParent }: EstimateOptions,
  { collects, units }: RunCounters,
) {
  /** The memory of a stage's Lambda, as AWS charges it. */
  const gb = (name: string) => (stages.find((stage) => stage.name === name)?.memoryMiB ?? 0) / 1024;
  const lists = sizes.map(({ parents }) => BEGIN_SECONDS + 2 * latencySeconds + parents / 20_000);
  const collected = sizes.map(
    (size, index) =>
      (collects[index] ?? 0) * BEGIN_SECONDS + runCounters([size]).calls / callsASecond(size, latencySeconds),
  );
  const parents = sum(sizes.map((size) => size.parents));
  const records = parents * (1 + recordsPerParent);
  const plan = BEGIN_SECONDS + 3 + sizes.length * PLAN_SECONDS_A_SOURCE + records / RECORDS_A_SECOND;
  const publish =
    units * (BEGIN_SECONDS + 1) + sizes.length * PUBLISH_SECONDS_A_SOURCE + records / RECORDS_A_SECOND;
  const longest = inWaves(sizes.map((_, index) => (lists[index] ?? 0) + (collected[index] ?? 0)));
  const pageSeconds = PAGE_SECONDS + parents / PAGE_PARENTS_A_SECOND;
  const askSeconds = BEGIN_SECONDS + longest;
  return {
    pageSeconds,
    askSeconds,
    seconds: askSeconds + plan + publish + BEGIN_SECONDS + 2,
    gbSeconds:
      gb('start') * 2 +
      gb('list') * sum(lists) +
      gb('collect') * sum(collected) +
      gb('plan') * plan +
      gb('publish') * publish +
      gb('commit') * 3 +
      gb('news') * pageSeconds,
  };
}

/** Seconds for all sources, with a limit on parallel ones: the next begins when one ends. */
function inWaves(seconds: readonly number[]): number {
  const ends = Array.from({ length: Math.min(SOURCES_AT_ONCE, seconds.length) }, () => 0);
  for (const each of seconds) {
    const free = ends.indexOf(Math.min(...ends));
    ends[free] = (ends[free] ?? 0) + each;
  }
  return Math.max(0, ...ends);
}

/** Calls a second: the source's limit, or what its latency and concurrency allow, whichever is less. */
function callsASecond({ source }: SourceSize, latencySeconds: number): number {
  return Math.min(source.requestsPerSecond ?? Number.POSITIVE_INFINITY, source.concurrency / latencySeconds);
}
