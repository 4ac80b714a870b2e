import { localApiServices } from '#cli/local-api-services.ts';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import type { Config } from '#lib/config/config.ts';
import { collect } from '#lib/contracts/collect.ts';
import { commit } from '#lib/contracts/commit.ts';
import { list } from '#lib/contracts/list.ts';
import { plan } from '#lib/contracts/plan.ts';
import { publish } from '#lib/contracts/publish.ts';
import { start } from '#lib/contracts/start.ts';
import { sweep } from '#lib/contracts/sweep.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import type { ApiServices, Services } from '#lib/runtime/services.ts';
import { interpret } from '#lib/runtime/state-machine.ts';

/** Enough memory for all that healthy sources of a test send, MiB. */
export const TIGHT_MIB = 40;
/** Bytes: DuckDB needs several times as much to take such a value out of its record. */
export const HUGE = 16 * 2 ** 20;

export type DuckDbStage = 'Plan' | 'PublishUnit' | 'Ledger';

export interface TightRun {
  readonly lake: Lake;
  readonly config: Config;
  readonly scheduledTime: string;
  /** @default all */
  readonly sources?: readonly string[] | undefined;
  /** The stages that have little memory. @default none */
  readonly tight?: readonly DuckDbStage[];
  /** What comes before each try of a unit. */
  readonly beforeUnit?: (event: unknown, services: ApiServices) => Promise<void>;
}

/** A whole run in which some stages have little memory, each in a DuckDB of its own, as Lambdas have. */
export async function tightRun({
  lake,
  config,
  scheduledTime,
  sources,
  tight = [],
  beforeUnit,
}: TightRun): Promise<RunSummary> {
  const secrets = {
    read: async () => ({ apiKey: 'fixture-key' }),
    readKey: async () => 'a key of masks, for tests alone',
  };
  await using all = localApiServices(localServices(lake), secrets, () => 0);
  const { duckDb: _, ...own } = all;
  const of = (stage: DuckDbStage): ApiServices & Services =>
    tight.includes(stage) ? { ...own, memoryLimitMiB: TIGHT_MIB, threads: 1 } : all;
  const started = await start(
    { scheduledTime, ...(sources && { sources: [...sources] }) },
    { ...all, ...LOCAL_HOLDER, config },
  );
  if (started.kind !== 'started') throw new Error('the lake is not free');
  await interpret(started.input, {
    List: (event) => list(event, all),
    Collect: (event) => collect(event, all),
    Sweep: (event) => sweep(event, all),
    Plan: (event) => plan(event, of('Plan')),
    PublishUnit: async (event) => {
      await beforeUnit?.(event, all);
      return await publish(event, of('PublishUnit'));
    },
    Ledger: (event) => publish(event, of('Ledger')),
    Commit: (event) => commit(event, all),
  });
  return await readSummary(lake, started.input);
}
