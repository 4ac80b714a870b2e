import type { Config } from '../config/config.ts';
import type { Schedule } from '../config/schedule.ts';
import { PUBLISH_WIDTH } from '../runtime/services.ts';
import type { RunCounters } from './run-counters.ts';

/** A quota of AWS and how much of it the runs need. */
export interface QuotaUse {
  readonly quota: string;
  readonly needed: number;
  /** An account's default, in the region with the least. */
  readonly allowed: number;
}

export interface QuotaOptions {
  readonly config: Config;
  readonly perRun: RunCounters;
  readonly schedule: Schedule;
}

/** The sources that the flow runs in parallel: `MaxConcurrency` of its map. */
export const SOURCES_AT_ONCE = 100;
/** Events of a batch: its iteration begins and ends (2), its state too (2), its call is scheduled, begins and ends. */
const EVENTS_OF_A_BATCH = 7;
/** Events of the other states of a source's execution. */
const EVENTS_BESIDE = 40;
/** A pass of everything and two sweeps of everything: no source that answers at all needs more. */
const PASSES = 3;
/** The states that a source enters before its first batch waits for the API. */
const STATES_TO_BEGIN = 2;
const YEARS = 10;
/** The zipped size of a full deployment: DuckDB four times, for plan, publish, operate and news. */
const CODE_GB = 0.1;
const DEPLOYMENTS = 100;

/** Days of the full daily tables: only days with a run count. Days kept for ever count as `forEver` days. */
export function keptDays(
  { config, schedule }: Pick<QuotaOptions, 'config' | 'schedule'>,
  forEver: number,
): number {
  return config.dailyRetentionDays ?? Math.min(1, schedule.runsAMonth / 30) * forEver;
}

/**
 * How much the runs need of the quotas that more sources, players or days use up. Beyond its number of Lambdas an
 * account only waits; an execution beyond its history fails.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
 * @see https://docs.aws.amazon.com/general/latest/gr/glue.html
 */
export function quotasOf({ config, perRun, schedule }: QuotaOptions): readonly QuotaUse[] {
  const { sources, dailyRetentionDays } = config;
  const { batches, units } = perRun;
  const side = Math.min(SOURCES_AT_ONCE, sources.length);
  const days = keptDays({ config, schedule }, YEARS * 365);
  return [
    {
      quota: 'Lambda: executions at once',
      needed: Math.max(side, Math.min(PUBLISH_WIDTH, units)),
      allowed: 1000,
    },
    {
      quota: `Lambda: GB of code, after ${DEPLOYMENTS} deployments that change all of it`,
      needed: Math.ceil(DEPLOYMENTS * CODE_GB),
      allowed: 75,
    },
    {
      quota: 'Step Functions: events of the longest execution, with two sweeps',
      needed: EVENTS_BESIDE + PASSES * EVENTS_OF_A_BATCH * Math.max(0, ...batches),
      allowed: 25_000,
    },
    {
      quota: 'Step Functions: state transitions a second, as sources begin',
      needed: side * STATES_TO_BEGIN,
      allowed: 800,
    },
    { quota: 'Step Functions: children started a second', needed: side, allowed: 100 },
    {
      quota: `Glue: partitions of a table after ${dailyRetentionDays === null ? `${YEARS} years` : 'its retention'}`,
      needed: Math.ceil(days),
      allowed: 10_000_000,
    },
  ];
}
