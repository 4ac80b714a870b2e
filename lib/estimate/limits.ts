import type { Config } from '../config/config.ts';
import type { Schedule } from '../config/schedule.ts';
import { PUBLISH_WIDTH } from '../runtime/services.ts';
import type { RunCounters } from './run-counters.ts';

interface LimitOptions {
  readonly config: Config;
  readonly perRun: RunCounters;
  readonly schedule: Schedule;
  /** Players and storages of all sources. */
  readonly parents: number;
  readonly pageSeconds: number;
  /** The limit of the Lambda of the news. */
  readonly mostPageSeconds: number;
}

/** The sources that the flow runs in parallel: `MaxConcurrency` of its map. */
export const SOURCES_AT_ONCE = 100;
/** Events of a batch: its iteration begins and ends (2), its state too (2), its call is scheduled, begins and ends. */
const EVENTS_OF_A_BATCH = 7;
/** Events of the other states of a source's execution. */
const EVENTS_BESIDE = 40;
/** A pass of everything and two sweeps of everything: no source that answers at all needs more. */
const PASSES = 3;
/** Bytes of all days that daily_trend, the largest view, reads for a player on a day. */
const TREND_BYTES = 60;
const MORE = 'Request more of Service Quotas, or split the installation.';
const YEARS = 10;

/** Days of the full daily tables: only days with a run count. Days kept for ever count as `forEver` days. */
export function keptDays(
  { config, schedule }: Pick<LimitOptions, 'config' | 'schedule'>,
  forEver: number,
): number {
  return config.dailyRetentionDays ?? Math.min(1, schedule.runsAMonth / 30) * forEver;
}

/**
 * How much the runs need of the quotas that more sources, players or days may exceed, and the cure. `allowed` is a new
 * account's default, in the region with the least. Beyond its number of Lambdas an
 * account only waits; an execution beyond its history fails.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
 */
export function limitsOf({ config, perRun, schedule, ...page }: LimitOptions) {
  const { sources, dailyRetentionDays } = config;
  const { batches, units } = perRun;
  const days = keptDays({ config, schedule }, YEARS * 365);
  const quotas = [
    {
      limit: 'Lambda: executions at once',
      needed: Math.max(Math.min(SOURCES_AT_ONCE, sources.length), Math.min(PUBLISH_WIDTH, units)),
      allowed: 1000,
    },
    {
      limit: 'Step Functions: events of the longest execution, with two sweeps',
      needed: EVENTS_BESIDE + PASSES * EVENTS_OF_A_BATCH * Math.max(0, ...batches),
      allowed: 25_000,
    },
  ];
  const trendGiB = (page.parents * TREND_BYTES * days) / 2 ** 30;
  const years = (config.queryGiB / trendGiB) * (days / 365);
  return [
    ...quotas.map((quota) => ({ ...quota, cure: MORE })),
    {
      limit: 'Lambda: seconds for the page and the news of a run',
      needed: Math.ceil(page.pageSeconds),
      allowed: page.mostPageSeconds,
      cure: 'The days that it has no time for are left out of the page.',
    },
    {
      limit: `Athena: GiB that a query of all days reads, after ${dailyRetentionDays === null ? `${YEARS} years` : 'their retention'}`,
      needed: Math.ceil(trendGiB),
      allowed: config.queryGiB,
      cure: `A query of all days reaches the limit after ${years.toFixed(1)} years. Raise queryGiB, keep fewer days (dailyRetentionDays), or name days in each query.`,
    },
  ];
}
