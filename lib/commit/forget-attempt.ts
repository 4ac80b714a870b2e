import { type LakeKey, lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { removeAll } from '../lake/remove-all.ts';
import type { Attempt } from '../run-id.ts';

/** What one stage writes for the next. It names every parent, so it has megabytes for many players. */
const HANDED_ON: readonly string[] = ['outcomes', 'unit', 'published', 'plan'];

/** True for a key that only the stages of an attempt read, so nothing needs it after the commit. */
export function isHandedOn(key: LakeKey | undefined): boolean {
  return key !== undefined && HANDED_ON.includes(key.kind);
}

/** Removes what the attempt's stages wrote for each other. If cut off, the rest goes with the run's raw. */
export async function forgetAttempt(lake: Lake, { runId, attempt }: Attempt): Promise<void> {
  await removeAll(lake, lakePrefix('attemptHead', { runId, attempt }), isHandedOn);
}
