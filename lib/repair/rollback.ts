import { releasedBy } from '../commit/released.ts';
import type { Config } from '../config/config.ts';
import { ExportError, UsageError } from '../errors.ts';
import { commitHead, type Head, lastCommitted, readHead, readLostHead, readRunHead } from '../lake/head.ts';
import { writeJson } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { missingFiles } from '../lake/missing-files.ts';
import { namedFiles, neededFiles } from '../lake/named-files.ts';
import { newerHead, newestKept } from '../lake/newer-head.ts';
import { readSummaryOrNone } from '../run/summary.ts';
import { runTime } from '../run-id.ts';
import { readSchema } from '../schema/schema.ts';
import { commitAgain, committedHead, type RepairServices } from './run-again.ts';
import { shownInClear } from './shown-in-clear.ts';

/**
 * Commits the head of an earlier commit again: its tables are the newest again, and later dates leave the daily tables.
 * It also replaces a damaged or missing head, and one that a backup restored. Throws UsageError ROLLBACK_IMPOSSIBLE if
 * the run's head or one of its files is missing. Also if its tables show what the config hides.
 */
export async function rollback(runId: string, services: RepairServices): Promise<Head> {
  const { lake } = services;
  const { target, committed, lost } = await rollbackOf(runId, services);
  if (committed === undefined) {
    const next = await asNewest(target, services);
    await commitHead(lake, next, lost?.etag);
    await services.afterCommit?.(next);
    return next;
  }
  return await commitAgain({ runId, head: committed }, services, async ({ attempt }) => {
    const { released: _, ...head } = target;
    const next = { ...head, attempt, committedAt: services.now().toISOString() };
    await writeJson(lake, lakeKey('summary', next), await readSummaryOrNone(lake, target));
    return { next };
  });
}

/**
 * The head of an earlier run with a higher attempt than all later ones, like a commit's. So nobody takes it
 * for one that a backup restored. The other files of the newest head are removed a day later.
 */
async function asNewest(target: Head, { lake, now }: RepairServices): Promise<Head> {
  const newer = await newestKept(lake, target);
  if (newer === undefined) return target;
  const next = { ...target, attempt: newer.attempt + 1, committedAt: now().toISOString() };
  const summary = await lake.read(lakeKey('summary', target));
  if (summary !== undefined) await lake.write(lakeKey('summary', next), summary.bytes);
  // It may need a month's file that is lost.
  const current = await readRunHead(lake, newer.runId).catch(() => undefined);
  return { ...next, released: [...releasedBy({ current, next, abandoned: [], now: now() })] };
}

interface Rollback {
  readonly target: Head;
  /** Undefined where it is damaged, missing or older than the newest. */
  readonly committed: Head | undefined;
  readonly lost: Awaited<ReturnType<typeof lostHead>>;
}

/** What a rollback to the run commits, and what it replaces. Throws UsageError ROLLBACK_IMPOSSIBLE. */
export async function rollbackOf(
  runId: string,
  { lake, config }: Pick<RepairServices, 'lake' | 'config'>,
): Promise<Rollback> {
  runTime(runId);
  const lost = await lostHead(lake);
  const committed = lost === undefined ? (await committedHead(lake)).head : undefined;
  if (committed?.runId === runId) throw impossible(runId, 'it is the committed run already');
  return { target: await rollbackTarget(lake, { runId, committed, config }), committed, lost };
}

export interface RollbackOptions {
  readonly runId: string;
  readonly committed: Head | undefined;
  /** Undefined without a config that says what is hidden. */
  readonly config: Config | undefined;
}

/** The head that a rollback to the run commits. Throws UsageError ROLLBACK_IMPOSSIBLE. */
export async function rollbackTarget(
  lake: Lake,
  { runId, committed, config }: RollbackOptions,
): Promise<Head> {
  const target = await (committed === undefined ? readLostHead : readRunHead)(lake, runId);
  if (target === undefined) throw impossible(runId, 'this lake has no commit of this run');
  // The head still names all files of the newest run. A missing one is lost, and no other head restores it.
  const now = committed ?? ((await lastCommitted(lake)) === runId ? target : undefined);
  const [missing] = await missingFiles(
    lake,
    now === undefined ? namedFiles(target) : neededFiles(target, now),
  );
  if (missing !== undefined)
    throw impossible(runId, `${missing} was lost, or removed a day after a later commit stopped naming it`);
  const shown = await shownInClear(lake, { head: target, config }).catch((error: unknown) => {
    if (!(error instanceof ExportError) || error.code !== 'SCHEMA_CORRUPT') throw error;
    throw impossible(runId, `${target.schema} is missing or damaged`);
  });
  // A lost head's copy with the newest run shows no more than the head did. The next run hides what the config hides.
  const isAsBefore = committed === undefined && now === target;
  if (isAsBefore || (shown.length === 0 && (await hasKeyOf(committed, { lake, target })))) return target;
  if (shown.length === 0) throw impossible(runId, 'its masks were made by an earlier key');
  throw impossible(
    runId,
    `it shows ${shown.join(', ')}, which the config hides by mask or drop. Remove from mask and drop what may be shown, or roll back to a later run`,
  );
}

/** True unless another key has made the masks since: then what only that key hid would be open again. */
async function hasKeyOf(
  committed: Head | undefined,
  { lake, target }: { readonly lake: Lake; readonly target: Head },
): Promise<boolean> {
  if (committed === undefined) return true;
  const was = (await readSchema(lake, target.schema)).maskKey;
  return was === undefined || was === (await readSchema(lake, committed.schema)).maskKey;
}

/** The etag of a head that is damaged, missing or older than the newest; undefined if the head is whole. */
async function lostHead(lake: Lake): Promise<{ readonly etag: string | undefined } | undefined> {
  try {
    const stored = await readHead(lake);
    return stored && (await newerHead(lake, stored)) && { etag: stored.etag };
  } catch (error) {
    if (!(error instanceof ExportError) || !LOST.includes(error.code)) throw error;
    return { etag: (await lake.read(lakeKey('head')))?.etag };
  }
}

const LOST = ['HEAD_CORRUPT', 'HEAD_MISSING'];

function impossible(runId: string, why: string): UsageError {
  return new UsageError(
    `Run ${runId} cannot be rolled back to: ${why}. \`status\` lists the runs that can be.`,
    'ROLLBACK_IMPOSSIBLE',
  );
}
