import { ExportError } from '../errors.ts';
import type { RunId } from '../run-id.ts';
import { sideBySide } from '../side-by-side.ts';
import { type Head, readStored, type StoredHead, storedIn } from './head.ts';
import type { StoredForm } from './head-shape.ts';
import { OBJECTS_AT_ONCE } from './json-object.ts';
import { lakeKey, lakePrefix, listKeys } from './keys.ts';
import type { Lake } from './lake.ts';
import { isOfLake, readLakeId } from './marker.ts';
import { readStateCopy } from './state-copy.ts';

/** A commit that came after the current head's. */
type NewerHead = Pick<StoredForm, 'runId' | 'attempt' | 'committedAt'>;

/**
 * The newest commit, if it came after the current head's; else undefined. It shows that a backup or a sync tool has put
 * an older head back. The next commit would drop and sweep what was committed since. A commit has a higher attempt than
 * all before it. Reads the copies of this head's run and later ones, and that of the last commit's run.
 */
async function newerHead(lake: Lake, { head, etag }: StoredHead): Promise<NewerHead | undefined> {
  const last = await readStored(lake, lakeKey('nextHead'));
  const runs = new Set(last === undefined ? [] : [last.runId]);
  const after = lakePrefix('runHead', { runId: head.runId });
  for await (const kept of listKeys(lake, 'runHead', {}, after)) runs.add(kept.runId);
  const heads = await sideBySide(runs, OBJECTS_AT_ONCE, (each) =>
    readStored(lake, lakeKey('runHead', { runId: each })),
  );
  const copy = (await readStateCopy(lake))[lakeKey('head')];
  const id = await readLakeId(lake);
  const [newest] = [...heads, copy === undefined ? undefined : storedIn(Buffer.from(copy))]
    .flatMap((each) =>
      each !== undefined && each.attempt > head.attempt && isOfLake(each, id) ? [each] : [],
    )
    .toSorted((a, b) => b.attempt - a.attempt);
  // Another run may have committed during the check of the copies.
  return newest !== undefined && (await lake.read(lakeKey('head')))?.etag === etag ? newest : undefined;
}

/** A run that published after the head's, but state/ does not know it: an older state/ was put back. */
async function unknownRun(lake: Lake, head: Head): Promise<string | undefined> {
  // Each run puts a file of `runs`.
  const after = lakePrefix('table', { table: 'runs', exportDate: head.exportDate });
  for await (const { runId, attempt } of listKeys(lake, 'table', { table: 'runs' }, after))
    if (attempt > head.attempt && runId >= head.runId && !(await isKnown(lake, runId))) return runId;
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
  const message = stored && (await whyOlder(lake, stored));
  if (message !== undefined) throw new ExportError({ code: 'HEAD_OLDER', message });
}

/** Why the head is older than the last commit, with the way on; undefined where it is the newest. */
export async function whyOlder(lake: Lake, stored: StoredHead): Promise<string | undefined> {
  const newer = await newerHead(lake, stored);
  if (newer !== undefined) {
    const [was, is] = [newer, stored.head].map(
      ({ runId, committedAt }) => `run ${runId}, committed at ${committedAt}`,
    );
    return `${lake.name}/${lakeKey('head')} is of ${is}. The last commit was of ${was}. A backup or a sync tool has put an older head back. The tables are unharmed: put the newest head back with \`recover\`. To keep the older one, run \`rollback ${stored.head.runId}\` after that.`;
  }
  const unknown = await unknownRun(lake, stored.head);
  // A commit may have come while the files were listed.
  if (unknown === undefined || (await lake.read(lakeKey('head')))?.etag !== stored.etag) return undefined;
  return `${lake.name} has files of run ${unknown}, but state/ does not know that run. A backup or a sync tool has put an older state/ back. Put the newer state/ back. Or let \`recover\` go on from run ${stored.head.runId}. It first says what it cannot bring back.`;
}
