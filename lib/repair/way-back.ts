import type { Config } from '../config/config.ts';
import { hasCode, instead, isA, UsageError } from '../errors.ts';
import { DamagedTable } from '../lake/damaged-file.ts';
import { type Head, readPreviousHead, readRunHead } from '../lake/head.ts';
import { KEPT_MS } from '../lake/head-months.ts';
import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import { listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { replacedFiles } from '../lake/named-files.ts';
import { parseAttemptName, runTime } from '../run-id.ts';
import type { Services } from '../runtime/services.ts';
import { sideBySide } from '../side-by-side.ts';
import { CLOCKS_DIFFER_MS } from '../time.ts';
import { rebuildable } from './rebuild.ts';
import { rollbackTarget } from './rollback.ts';
import { repairable, unanswered } from './start-repair.ts';

/** How many heads are checked for a rollback, the newest first. */
const LOOKED_AT = 14;

export type WayBack = Awaited<ReturnType<typeof wayBack>>;

/** The services of a command that only reads. It may have no config. */
export interface ReaderServices extends Services {
  readonly config: Config | undefined;
}

/** What can be repaired, rolled back and rebuilt, and until when. */
export async function wayBack(head: Head, services: ReaderServices) {
  const { lake, config } = services;
  // If the file with the outcomes is damaged or missing, nobody knows of any.
  const { length: listings } = await unanswered(head, services).catch(instead(isA(DamagedTable), []));
  const tooLate = listings === 0 ? null : await whyNot(() => repairable(lake, head));
  const previous = await readable(readPreviousHead(lake, head));
  const canRepair = listings > 0 && tooLate === null;
  return {
    /** What `repair` would request in the newest run; null without anything. */
    repair: canRepair ? { runId: head.runId, listings, until: untilOf(head, previous) } : null,
    /** Why the newest run can no longer be repaired; null if it can, or needs no repair. */
    tooLate,
    /** Runs that `rollback` can commit, newest first, and when a commit removes their files; null = not soon. */
    rollbacks: await rollbacks(lake, { head, config, now: services.now() }),
    /** The first date from which `rebuild` has every raw answer; null if there is none. */
    rebuildFrom: await rebuildFrom(lake, head),
  };
}

async function rollbacks(
  lake: Lake,
  { head, config, now }: { readonly head: Head; readonly config: Config | undefined; readonly now: Date },
) {
  const found: { readonly runId: string; readonly date: string; readonly until: string | null }[] = [];
  await sideBySide(lastRuns(head, now), OBJECTS_AT_ONCE, async (runId) => {
    await whyNot(async () => {
      const target = await rollbackTarget(lake, { runId, committed: head, config });
      if (target.status === 'failed') return;
      found.push({ runId, date: target.exportDate, until: untilOf(head, target) });
    });
  });
  return found.sort((a, b) => (a.runId < b.runId ? 1 : -1));
}

/** When the first file is removed that the earlier head names and the committed one does not. */
function untilOf(head: Head, earlier: Head | undefined): string | null {
  if (earlier === undefined) return null;
  const replaced = new Set(
    replacedFiles(earlier, head).map(({ table, date, run }) => `${table} ${date} ${run}`),
  );
  const times = head.released
    .filter(({ table, date, run }) => replaced.has(`${table} ${date} ${run}`))
    .map(({ at }) => Date.parse(at) + KEPT_MS);
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

/**
 * The last runs of the days before, and those that a later commit replaced within a day; the newest first. If
 * the head is still to come, those before now.
 */
function lastRuns(head: Head, now: Date): readonly string[] {
  const days = Object.values(head.tables.runs?.dates ?? {});
  const runs = new Set([...days, ...head.released].map(({ run }) => parseAttemptName(run).runId));
  runs.delete(head.runId);
  const isAhead = runTime(head.runId).getTime() - now.getTime() > CLOCKS_DIFFER_MS;
  const back = [...runs].filter((runId) => !isAhead || runTime(runId) <= now);
  return back.sort().reverse().slice(0, LOOKED_AT);
}

/** The date of the oldest committed run with raw answers: raw is removed from the oldest run on. */
async function rebuildFrom(lake: Lake, head: Head): Promise<string | null> {
  let looked = '';
  for await (const { runId } of listKeys(lake, 'raw')) {
    if (runId === looked) continue;
    looked = runId;
    const first = runId === head.runId ? head : await readable(readRunHead(lake, runId));
    if (first === undefined) continue;
    let before = await readable(readPreviousHead(lake, first));
    while (before?.exportDate === first.exportDate && (await rebuildable(lake, before)) !== undefined) {
      before = await readable(readPreviousHead(lake, before));
    }
    if (before?.exportDate !== first.exportDate) return first.exportDate;
    // A date has an earlier run without raw answers, so a rebuild begins at the next date.
    const later = Object.keys(head.tables.runs?.dates ?? {}).filter((date) => date > first.exportDate);
    return later.sort()[0] ?? null;
  }
  return null;
}

/** The head; undefined if it is damaged, so that status can still say the rest. */
const readable = (head: Promise<Head | undefined>) => head.catch(instead(isDamagedHead, undefined));

async function whyNot(step: () => Promise<unknown>): Promise<string | null> {
  try {
    await step();
    return null;
  } catch (error) {
    if (error instanceof UsageError || isDamagedHead(error)) return error.message;
    throw error;
  }
}

const isDamagedHead = hasCode('HEAD_CORRUPT');
