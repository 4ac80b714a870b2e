import type { Config } from '../config/config.ts';
import { hasCode, UsageError } from '../errors.ts';
import { committedHead, type Head, readRunHead } from '../lake/head.ts';
import { writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { missingFiles, neededFiles } from '../lake/named-files.ts';
import { refuseOlderHead } from '../lake/newer-head.ts';
import { readSummaryOrNone } from '../run/summary.ts';
import { runTime } from '../run-id.ts';
import { readSchema } from '../schema/schema.ts';
import { commitAgain, type RepairServices } from './run-again.ts';
import { shownInClear } from './shown-in-clear.ts';

/**
 * Commits the head of an earlier commit again: its tables are the newest again, and later dates leave the daily tables.
 * Throws UsageError ROLLBACK_IMPOSSIBLE if the run's head or one of its files is missing. Also if its tables show what the
 * config hides.
 */
export async function rollback(runId: string, services: RepairServices): Promise<Head> {
  const { lake } = services;
  const { target, committed } = await rollbackOf(runId, services);
  return await commitAgain({ runId, head: committed }, services, async ({ attempt }) => {
    const { released: _, ...head } = target;
    const next = { ...head, attempt, committedAt: services.now().toISOString() };
    await writeJson(lake, lakeKey('summary', next), await readSummaryOrNone(lake, target));
    return { next };
  });
}

/** What a rollback to the run commits, and what it replaces. Throws UsageError ROLLBACK_IMPOSSIBLE, and HEAD_OLDER. */
export async function rollbackOf(runId: string, { lake, config }: Pick<RepairServices, 'lake' | 'config'>) {
  runTime(runId);
  const stored = await committedHead(lake);
  await refuseOlderHead(lake, stored);
  const committed = stored.head;
  if (committed.runId === runId) throw impossible(runId, 'it is the committed run already');
  return { target: await rollbackTarget(lake, { runId, committed, config }), committed };
}

/** The head that a rollback to the run commits. Without a config nothing is hidden. Throws ROLLBACK_IMPOSSIBLE. */
export async function rollbackTarget(
  lake: Lake,
  { runId, committed, config }: Pick<Head, 'runId'> & { committed: Head; config: Config | undefined },
): Promise<Head> {
  const target = await readRunHead(lake, runId);
  if (target === undefined) throw impossible(runId, 'this lake has no commit of this run');
  const [missing] = await missingFiles(lake, neededFiles(target, committed));
  if (missing !== undefined)
    throw impossible(runId, `${missing} was lost, or removed a day after a later commit stopped naming it`);
  const shown = await shownInClear(lake, { head: target, config }).catch((error: unknown) => {
    if (!hasCode('SCHEMA_CORRUPT')(error)) throw error;
    throw impossible(runId, `${target.schema} is missing or damaged`);
  });
  if (shown.length > 0)
    throw impossible(
      runId,
      `it shows ${shown.join(', ')}, which the config hides by mask or drop. Remove from mask and drop what may be shown, or roll back to a later run`,
    );
  // What only the earlier key hid would be open again.
  const was = (await readSchema(lake, target.schema)).maskKey;
  if (was !== undefined && was !== (await readSchema(lake, committed.schema)).maskKey)
    throw impossible(runId, 'its masks were made by an earlier key');
  return target;
}

function impossible(runId: string, why: string): UsageError {
  return new UsageError(
    `Run ${runId} cannot be rolled back to: ${why}. \`status\` lists the runs that can be.`,
    'ROLLBACK_IMPOSSIBLE',
  );
}
