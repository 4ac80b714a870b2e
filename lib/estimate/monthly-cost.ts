import type { Config } from '../config/config.ts';
import type { Schedule } from '../config/schedule.ts';
import { LEASE_SPARE_MS } from '../run/keep-lease.ts';
import { METRICS } from '../runtime/metrics.ts';
import { ALARM_METRICS, PRICES } from './prices.ts';
import { keptDays, type QuotaUse, quotasOf, SOURCES_AT_ONCE } from './quotas.ts';
import { RAW_BYTES, type RunCounters, runCounters, type SourceSize } from './run-counters.ts';

/** The stack's memory for its Lambdas. */
interface StageMemory {
  readonly name: string;
  readonly memoryMiB: number;
}

export interface EstimateOptions {
  readonly config: Config;
  readonly schedule: Schedule;
  readonly sizes: readonly SourceSize[];
  readonly stages: readonly StageMemory[];
  /** Seconds that the API takes for an answer. */
  readonly latencySeconds: number;
  /** Records below a parent, all its child listings together. */
  readonly recordsPerParent: number;
}

export interface Estimate extends Schedule {
  readonly perRun: RunCounters & { readonly seconds: number; readonly gbSeconds: number };
  /** USD a month, by what is charged. */
  readonly monthly: Readonly<Record<string, number>>;
  readonly totalUsd: number;
  readonly quotas: readonly QuotaUse[];
  readonly asOf: string;
}

/** Bytes of a call to an API, with its headers and its share of TLS, and of the compressed answer. */
const CALL_OUT_BYTES = 500;
const CALL_BACK_BYTES = 1500;
const MONTH_HOURS = 730;
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
/** Seconds of plan for each source: 100 sources took 10 s with 30 ms for each read of the lake. */
const PLAN_SECONDS_A_SOURCE = 0.1;
/** Seconds for the page of a run besides its records: 3 s of DuckDB, and 16 parallel files in 0.1 s. */
const PAGE_SECONDS = 12;

/** The cost of a month: the parts that matter, each by a formula. A run's counters are exact if nothing fails. */
export function estimate(options: EstimateOptions): Estimate {
  const { config, schedule, sizes, recordsPerParent } = options;
  const perRun = runCounters(sizes, { ledgerParts: 0 });
  const runs = schedule.runsAMonth;
  const { gbSeconds, seconds } = lambdaTime(options, perRun);
  // Each unit writes a part of `changes`. With several runs a day, a later run also writes the parts of changes,
  // rejects and runs of the earlier run again.
  const puts =
    perRun.puts + perRun.units + (runs > 31 ? 3 : 0) + Math.floor((seconds * 1000) / LEASE_SPARE_MS);
  const parents = sizes.reduce((sum, size) => sum + size.parents, 0);
  const rawDays = (runs * config.rawRetentionDays) / 30;
  const dayBytes = (DAY_BYTES_A_PARENT * (1 + recordsPerParent)) / (1 + USUAL_RECORDS);
  const storedGb =
    (parents * (RAW_BYTES * rawDays + dayBytes * keptDays({ config, schedule }, YEAR_DAYS))) / 1e9;
  const secrets = [
    ...sizes.map(({ source }) => source.secret),
    ...[config.maskSecret, config.notify?.webhookSecret].filter((name) => name !== undefined),
  ];
  const monthly = {
    lambda: runs * (gbSeconds * PRICES.lambdaGbSecond.arm64 + perRun.lambdas * PRICES.lambdaRequest),
    stepFunctions: runs * perRun.transitions * PRICES.transition,
    s3:
      runs * (puts * PRICES.s3Put + perRun.lists * PRICES.s3List + perRun.gets * PRICES.s3Get) +
      storedGb * PRICES.s3GbMonth,
    network: networkOfAMonth(config, runs * perRun.calls),
    watching:
      PRICES.dashboardMonth +
      Object.keys(METRICS).length * PRICES.metricMonth +
      ALARM_METRICS * PRICES.alarmMetricMonth,
    secrets: new Set(secrets).size * PRICES.secretMonth,
  };
  return {
    perRun: { ...perRun, puts, seconds, gbSeconds },
    ...schedule,
    monthly,
    totalUsd: Object.values(monthly).reduce((sum, usd) => sum + usd, 0),
    quotas: quotasOf({ config, perRun, schedule }),
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

/** Seconds from start to commit, and GB-seconds of all Lambdas. */
function lambdaTime(
  { sizes, stages, latencySeconds, recordsPerParent }: EstimateOptions,
  { batches, units, calls: _ }: RunCounters,
): { readonly seconds: number; readonly gbSeconds: number } {
  const gb = (name: string) => gbOf(name, stages);
  const lists = sizes.map(({ parents }) => BEGIN_SECONDS + 2 * latencySeconds + parents / 20_000);
  const collects = sizes.map((size, index) => {
    const calls = runCounters([size], { ledgerParts: 0 }).calls;
    return (batches[index] ?? 0) * BEGIN_SECONDS + calls / callsASecond(size, latencySeconds);
  });
  const records = sizes.reduce((sum, { parents }) => sum + parents * (1 + recordsPerParent), 0);
  const plan = BEGIN_SECONDS + 3 + sizes.length * PLAN_SECONDS_A_SOURCE + records / RECORDS_A_SECOND;
  const publish = units * (BEGIN_SECONDS + 1) + records / RECORDS_A_SECOND;
  const sum = (seconds: readonly number[]) => seconds.reduce((total, each) => total + each, 0);
  const longest = inWaves(sizes.map((_, index) => (lists[index] ?? 0) + (collects[index] ?? 0)));
  return {
    seconds: 2 * BEGIN_SECONDS + longest + plan + publish + 2,
    gbSeconds:
      gb('start') * 2 +
      gb('list') * sum(lists) +
      gb('collect') * sum(collects) +
      gb('plan') * plan +
      gb('publish') * publish +
      gb('commit') * 3 +
      gb('news') * (PAGE_SECONDS + (2 * records) / RECORDS_A_SECOND),
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

/** The memory of a stage's Lambda, as AWS charges it. */
function gbOf(name: string, stages: EstimateOptions['stages']): number {
  return (stages.find((stage) => stage.name === name)?.memoryMiB ?? 0) / 1024;
}

/** Calls a second: the source's limit, or what its latency and concurrency allow, whichever is less. */
function callsASecond({ source }: SourceSize, latencySeconds: number): number {
  return Math.min(source.requestsPerSecond ?? Number.POSITIVE_INFINITY, source.concurrency / latencySeconds);
}
