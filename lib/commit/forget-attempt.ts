import { type LakeKey, lakePrefix } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { removeAll } from '../lake/remove-all.ts';
import type { Attempt } from '../run-id.ts';

/** What an attempt's stages hand to each other. It names every parent, so each run of many players has megabytes of it. */
const HANDED_ON: readonly string[] = ['outcomes', 'unit', 'published', 'plan'];

/** True for a key of what stages hand to each other: nothing reads it after the attempt's commit. */
export function isHandedOn(key: LakeKey | undefined): boolean {
  return key !== undefined && HANDED_ON.includes(key.kind);
}

/**
 * Removes what the attempt's stages handed to each other. Where this is cut off, the rest goes with the run's raw answers.
 */
export async function forgetAttempt(lake: Lake, { runId, attempt }: Attempt): Promise<void> {
  await removeAll(lake, lakePrefix('attemptHead', { runId, attempt }), isHandedOn);
}
