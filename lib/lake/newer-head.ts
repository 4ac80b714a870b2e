import { ExportError } from '../errors.ts';
import type { Attempt, RunId } from '../run-id.ts';
import { sideBySide } from '../side-by-side.ts';
import { type Head, readStored, type StoredHead, storedIn } from './head.ts';
import type { StoredForm } from './head-shape.ts';
import { OBJECTS_AT_ONCE } from './json-object.ts';
import { lakeKey, lakePrefix } from './keys.ts';
import type { Lake } from './lake.ts';
import { listKeys } from './list-keys.ts';
import { isOfLake, readLakeId } from './marker.ts';
import { readStateCopy } from './state-copy.ts';

/** A commit that came after the current head's. */
export interface NewerHead extends Pick<StoredForm, 'runId' | 'attempt' | 'committedAt'> {
  /** False where only the copy outside of state/ has it, so `rollback` cannot use it. */
  readonly isKept: boolean;
}

/**
 * The newest commit, if it came after the current head's; else undefined. It shows that a backup or a sync
 * tool has put an older head back. The next commit would drop and sweep what was committed since.
 */
export async function newerHead(lake: Lake, { head, etag }: StoredHead): Promise<NewerHead | undefined> {
  const newest = await newestKept(lake, head);
  // Another run may have committed during the check of the copies.
  return newest !== undefined && (await lake.read(lakeKey('head')))?.etag === etag ? newest : undefined;
}

/**
 * The newest kept copy of a head that was committed after this one. A commit has a higher attempt than all
 * before it. It reads copies of this head's run and later ones, and that of the last commit's run.
 */
export async function newestKept(
  lake: Lake,
  { runId, attempt }: Pick<Head, 'runId' | 'attempt'>,
): Promise<NewerHead | undefined> {
  const last = await readStored(lake, lakeKey('nextHead'));
  const runs = new Set(last === undefined ? [] : [last.runId]);
  const after = lakePrefix('runHead', { runId });
  for await (const kept of listKeys(lake, 'runHead', {}, after)) runs.add(kept.runId);
  const heads = await sideBySide(runs, OBJECTS_AT_ONCE, (each) =>
    readStored(lake, lakeKey('runHead', { runId: each })),
  );
  const copy = (await readStateCopy(lake))[lakeKey('head')];
  const copied = copy === undefined ? undefined : storedIn(Buffer.from(copy));
  const id = await readLakeId(lake);
  return [...heads.map((each) => each && { ...each, isKept: true }), copied && { ...copied, isKept: false }]
    .flatMap((each) => (each !== undefined && each.attempt > attempt && isOfLake(each, id) ? [each] : []))
    .toSorted((a, b) => b.attempt - a.attempt)[0];
}

/** Attempts above this one that published since the head's date. Each run puts a file of `runs`. */
async function laterRuns(lake: Lake, { exportDate }: Head, attempt: number): Promise<readonly Attempt[]> {
  const found: Attempt[] = [];
  const after = lakePrefix('table', { table: 'runs', exportDate });
  for await (const file of listKeys(lake, 'table', { table: 'runs' }, after))
    if (file.attempt > attempt) found.push(file);
  return found;
}

/** A run that published after the head's, but state/ does not know it: an older state/ was put back. */
async function unknownRun(lake: Lake, head: Head): Promise<string | undefined> {
  for (const { runId } of await laterRuns(lake, head, head.attempt)) {
    if (runId >= head.runId && !(await isKnown(lake, runId))) return runId;
  }
  for await (const { runId } of rawBehind(lake, head.runId))
    if (runId > (head.toldRun ?? '') && !(await isKnown(lake, runId))) return runId;
  return undefined;
}

/** True if state/ has anything of the run. Its damaged record alone may have been removed as a cure. */
async function isKnown(lake: Lake, runId: RunId): Promise<boolean> {
  for await (const _ of lake.list(lakePrefix('runConfig', { runId }))) return true;
  return false;
}

/** The later runs with raw answers, without the run itself. */
export async function* rawBehind(lake: Lake, runId: RunId): AsyncGenerator<{ readonly runId: RunId }> {
  let last = '';
  // `0` is the sign after the slash.
  const after = `${lakePrefix('raw', { runId }).slice(0, -1)}0`;
  for await (const raw of listKeys(lake, 'raw', {}, after)) {
    if (raw.runId === last) continue;
    last = raw.runId;
    yield raw;
  }
}

/** Throws HEAD_OLDER where an older head was put back. */
export async function refuseOlderHead(lake: Lake, stored: StoredHead | undefined): Promise<void> {
  if (stored === undefined) return;
  const older = await whyOlder(lake, stored);
  if (older !== undefined) throw new ExportError({ code: 'HEAD_OLDER', message: older.message });
}

/** The fault where the head is older than the last commit, and the run for `rollback`; null = none. */
export interface Older {
  readonly newest: string | null;
  readonly message: string;
}

/** Why the head is older than the last commit; undefined where it is the newest. */
export async function whyOlder(lake: Lake, stored: StoredHead): Promise<Older | undefined> {
  const newer = await newerHead(lake, stored);
  if (newer !== undefined) {
    // If a later run has published, its own copy is lost, and only `recover` can help.
    const isLast = newer.isKept && (await laterRuns(lake, stored.head, newer.attempt)).length === 0;
    return {
      newest: isLast ? newer.runId : null,
      message: olderText(lake.name, stored.head, { ...newer, isKept: isLast }),
    };
  }
  const unknown = await unknownRun(lake, stored.head);
  // A commit may have come while the files were listed.
  if (unknown === undefined || (await lake.read(lakeKey('head')))?.etag !== stored.etag) return undefined;
  const message = `${lake.name} has files of run ${unknown}, but state/ does not know that run: a backup or a sync tool has put an older state/ back. Put the newer state/ back. Or let \`recover\` go on from run ${stored.head.runId}: before it changes anything, it says what it cannot bring back.`;
  return { newest: null, message };
}

/** The message where an older head was put back, with the ways on. */
function olderText(lake: string, head: Pick<Head, 'runId' | 'committedAt'>, newer: NewerHead): string {
  const [was, is] = [newer, head].map(
    ({ runId, committedAt }) => `run ${runId}, committed at ${committedAt}`,
  );
  return `${lake}/${lakeKey('head')} is of ${is}, but the last commit was of ${was}: a backup or a sync tool has put an older head back. Put the newest back with \`recover\`${newer.isKept ? ` or \`rollback ${newer.runId}\`` : ''}, or, if the older one shall stay, \`rollback ${head.runId}\`; the tables are unharmed.`;
}
