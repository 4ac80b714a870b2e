import type { Config } from '../../config/config.ts';
import type { Head } from '../../lake/head.ts';
import type { Lake } from '../../lake/lake.ts';
import { type RunRecord, readRunRecordIfAny } from '../run-record.ts';

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
    abandoned: [],
    config: { ...config, sources: config.sources.filter(({ name }) => head.sources.includes(name)) },
  };
}
