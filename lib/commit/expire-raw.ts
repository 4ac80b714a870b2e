import type { Head } from '../lake/head.ts';
import { lakePrefix, parseKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { listKeys } from '../lake/list-keys.ts';
import { runIdAt } from '../run-id.ts';
import { removeAll } from './remove-all.ts';

const DAY_MS = 24 * 3_600_000;

export interface ExpireRawOptions {
  readonly lake: Lake;
  /** The head just committed. */
  readonly head: Head;
  /** 0 = gone after the commit. */
  readonly rawRetentionDays: number;
  readonly now: Date;
}

/**
 * Removes raw answers that are older than that, with the working state of their runs. It lists no more of raw than it
 * removes.
 */
export async function expireRaw({ lake, head, rawRetentionDays, now }: ExpireRawOptions): Promise<void> {
  const oldest = runIdAt(new Date(now.getTime() - rawRetentionDays * DAY_MS));
  const isOld = (runId: string) => (rawRetentionDays === 0 ? runId <= head.runId : runId < oldest);
  for (const runId of await runsWithRaw(lake, isOld)) {
    // State goes first. If this is cut off, a later commit finds the run by its raw and goes on.
    await removeAll(lake, lakePrefix('runHead', { runId }), isWorkingState);
    await removeAll(lake, lakePrefix('raw', { runId }));
  }
}

/** A run's heads, schemas and summaries stay, for `rollback` and `status`. */
function isWorkingState(key: string): boolean {
  const kind = parseKey(key)?.kind;
  return kind !== 'runHead' && kind !== 'attemptHead' && kind !== 'summary' && kind !== 'schema';
}

/** The old run ids below raw/. Keys come in the order of their runs, so the first young one ends the search. */
async function runsWithRaw(lake: Lake, isOld: (runId: string) => boolean): Promise<readonly string[]> {
  const runs = new Set<string>();
  for await (const { runId } of listKeys(lake, 'raw')) {
    if (!isOld(runId)) break;
    runs.add(runId);
  }
  return [...runs];
}
