import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import type { Config } from '#lib/config/config.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { readSummary } from '#lib/run/summary.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { begin } from './begin.ts';
import { stagesWith, type Task } from './runs.ts';

/** Enough memory for all that healthy sources of a test send, MiB. */
export const TIGHT_MIB = 40;
/** Bytes: DuckDB needs several times as much to take such a value out of its record. */
export const HUGE = 16 * 2 ** 20;

export type DuckDbStage = Extract<Task, 'Plan' | 'PublishUnit' | 'Ledger'>;

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
export async function tightRun({ lake, config, scheduledTime, sources, tight = [], beforeUnit }: TightRun) {
  const readKey = async () => 'a key of masks, for tests alone';
  const secrets = { readKey, read: async () => ({ apiKey: 'fixture-key' }) };
  await using all = localApiServices(localServices(lake), secrets, () => 0);
  const { duckDb: _, ...own } = all;
  const narrow = { ...own, memoryLimitMiB: TIGHT_MIB, threads: 1 };
  const stages = stagesWith((task) => (tight.some((each) => each === task) ? narrow : all));
  const input = await begin({ scheduledTime, ...(sources && { sources: [...sources] }) }, { ...all, config });
  await interpret(input, {
    ...stages,
    PublishUnit: async (event) => {
      await beforeUnit?.(event, all);
      return await stages.PublishUnit(event);
    },
  });
  return await readSummary(lake, input);
}
