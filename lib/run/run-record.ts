import * as z from 'zod';
import type { Config } from '../config/config.ts';
import { ExportError } from '../errors.ts';
import type { Head } from '../lake/head.ts';
import { readJson, writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { committedDates, oldestOf } from '../lake/named-files.ts';
import { HOUR_MS } from '../time.ts';

const shape = z.object({
  runId: z.string(),
  attempt: z.number().int(),
  scheduledAt: z.string(),
  /** See `startEvent`. */
  isByOwnClock: z.boolean().optional(),
  startedAt: z.string(),
  /** When this attempt began. Only a run that was committed before, and is made again, has it. */
  againAt: z.string().optional(),
  /** The run ends here at the latest, done or not. */
  deadline: z.string(),
  /** YYYY-MM-DD in the config's time zone. */
  exportDate: z.string(),
  /** Names of the sources that this run calls; the others are carried over. */
  selected: z.array(z.string()).readonly(),
  /** Names of the sources with listings that may shrink by more than maxShrink this once. */
  acceptShrink: z.array(z.string()).readonly(),
  /** The etag of the head that the commit replaces; null = none exists yet. */
  baseEtag: z.string().nullable(),
  /** The key of the base head; null = none. A repeated run builds upon an older head than the committed one. */
  baseHead: z.string().nullable(),
  /** True if the lake had nothing of the run before this attempt. Missing in an earlier version. */
  isNew: z.boolean().optional(),
  /** True: denied listings are requested again too. */
  isRepair: z.boolean(),
  /** The run that holds the lease. It differs where one attempt makes several runs again. */
  leaseRunId: z.string(),
  /** It was parsed when the run began. A later version may refuse it, but still makes that run again. */
  config: z.custom<Config>((value) => typeof value === 'object' && value !== null),
});

/** What start decided for an attempt of a run; every stage reads this and not the config file. */
export type RunRecord = Readonly<z.infer<typeof shape>>;

/** The run's record; undefined where no start wrote one. */
export async function readRunRecordIfAny(lake: Lake, runId: string): Promise<RunRecord | undefined> {
  return await readJson(lake, lakeKey('runConfig', { runId }), shape);
}

/** The run's record. Throws RUN_UNKNOWN where no start wrote one. */
export async function readRunRecord(lake: Lake, runId: string): Promise<RunRecord> {
  const record = await readRunRecordIfAny(lake, runId);
  if (record !== undefined) return record;
  throw new ExportError({
    code: 'RUN_UNKNOWN',
    message: `${lake.name} has no run ${runId}: start one with \`run\`, or wait for the schedule.`,
  });
}

/** Replaces the run's record by that of an attempt. */
export async function writeRunRecord(lake: Lake, record: RunRecord): Promise<void> {
  await writeJson(lake, lakeKey('runConfig', { runId: record.runId }), record);
}

/** The run's record for a stage of an attempt. Throws RUN_SUPERSEDED where a later attempt has begun. */
export async function readAttempt(lake: Lake, event: { runId: string; attempt: number }): Promise<RunRecord> {
  const record = await readRunRecord(lake, event.runId);
  if (record.attempt !== event.attempt) {
    throw new ExportError({
      code: 'RUN_SUPERSEDED',
      message: `Attempt ${event.attempt} of run ${event.runId} was superseded by attempt ${record.attempt}: nothing to do here.`,
    });
  }
  return record;
}

/** For a run that began with a config of an earlier version. */
const PUBLISH_HOURS = 2;

/** Until when a run calls its sources. The rest of its time is for publishing the answers. */
export function asksUntil(
  record: Pick<RunRecord, 'deadline'> & { readonly config: { readonly publishHours?: number } },
): Date {
  const { publishHours = PUBLISH_HOURS } = record.config;
  return new Date(Date.parse(record.deadline) - publishHours * HOUR_MS);
}

/** The first date that the daily tables keep after a commit upon that head; '' if they keep all. */
export function oldestDate(
  { config, exportDate }: Pick<RunRecord, 'config' | 'exportDate'>,
  base: Pick<Head, 'tables'> | undefined,
): string {
  const days = config.dailyRetentionDays;
  return days === null ? '' : oldestOf([...committedDates(base), exportDate], days);
}

/** The record of the head's run. If it went with its raw answers, it is rebuilt from the head. */
export async function recordOf(lake: Lake, head: Head, config: Config): Promise<RunRecord> {
  const record = await readRunRecordIfAny(lake, head.runId);
  if (record !== undefined) return record;
  const { runId, attempt, scheduledAt, committedAt, exportDate } = head;
  return {
    runId,
    attempt,
    scheduledAt,
    startedAt: scheduledAt,
    deadline: committedAt,
    exportDate,
    selected: [],
    acceptShrink: [],
    baseEtag: null,
    baseHead: null,
    isRepair: false,
    leaseRunId: runId,
    config: { ...config, sources: config.sources.filter(({ name }) => head.sources.includes(name)) },
  };
}
