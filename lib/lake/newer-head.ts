import { ExportError } from '../errors.ts';
import { sideBySide } from '../side-by-side.ts';
import { type Head, readStored, type StoredHead } from './head.ts';
import type { StoredForm } from './head-shape.ts';
import { OBJECTS_AT_ONCE } from './json-object.ts';
import { lakeKey, lakePrefix } from './keys.ts';
import type { Lake } from './lake.ts';
import { listKeys } from './list-keys.ts';

/** A commit that came after the one whose head is there. */
export type NewerHead = Pick<StoredForm, 'runId' | 'attempt' | 'committedAt'>;

/**
 * The newest commit, if it came after the one whose head is there: a backup or a sync tool has put an older head back, and
 * what was committed since would be dropped and swept. Undefined where the head is the newest.
 */
export async function newerHead(lake: Lake, { head, etag }: StoredHead): Promise<NewerHead | undefined> {
  const newest = await newestKept(lake, head);
  // Another run may have committed while the copies were looked at.
  return newest !== undefined && (await lake.read(lakeKey('head')))?.etag === etag ? newest : undefined;
}

/**
 * The newest kept copy of a head that was committed after this one. A commit has a higher attempt than all before it.
 * Copies are looked at of the runs from its own on, and of the run that the last commit was of.
 */
export async function newestKept(
  lake: Lake,
  { runId, attempt }: Pick<Head, 'runId' | 'attempt'>,
): Promise<StoredForm | undefined> {
  const last = await readStored(lake, lakeKey('nextHead'));
  const runs = new Set(last === undefined ? [] : [last.runId]);
  const after = lakePrefix('runHead', { runId });
  for await (const kept of listKeys(lake, 'runHead', {}, after)) runs.add(kept.runId);
  const heads = await sideBySide(runs, OBJECTS_AT_ONCE, (each) =>
    readStored(lake, lakeKey('runHead', { runId: each })),
  );
  return heads
    .flatMap((each) => (each !== undefined && each.attempt > attempt ? [each] : []))
    .toSorted((a, b) => b.attempt - a.attempt)[0];
}

/** Throws HEAD_OLDER where an older head was put back. */
export async function refuseOlderHead(lake: Lake, stored: StoredHead | undefined): Promise<void> {
  if (stored === undefined) return;
  const newer = await newerHead(lake, stored);
  if (newer === undefined) return;
  throw new ExportError({ code: 'HEAD_OLDER', message: olderText(lake.name, stored.head, newer) });
}

/** What is wrong where an older head was put back, and the ways on. */
export function olderText(lake: string, head: Pick<Head, 'runId' | 'committedAt'>, newer: NewerHead): string {
  const [was, is] = [newer, head].map(
    ({ runId, committedAt }) => `run ${runId}, committed at ${committedAt}`,
  );
  return `${lake}/${lakeKey('head')} is of ${is}, but the last commit was of ${was}: a backup or a sync tool has put an older head back. Put the newest back with \`rollback ${newer.runId}\`, or, if the older one shall stay, \`rollback ${head.runId}\`; the tables are unharmed.`;
}
