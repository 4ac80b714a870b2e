import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errno } from '../../errors.ts';
import { type Condition, ConditionFailed, checkKey, type Lake, type ListedObject } from '../lake.ts';
import { checkFolder, refuseLink } from './check-folder.ts';
import { folderError, guarded, isMissingFile, lakeGone, noneIfMissing } from './folder-errors.ts';
import { openReader, readWhole, writeNew } from './folder-files.ts';
import { withFolderLock } from './folder-lock.ts';
import { keepPrivate, makeFolder } from './folder-modes.ts';
import { makeScratch, SCRATCH, scratchPath } from './folder-scratch.ts';
import { isSyncedLater, syncDue, syncFile, syncFolders, syncLater } from './folder-syncs.ts';

/** Keys to remove within one lock: about 10 ms, because other processes wait. */
const REMOVED_AT_ONCE = 200;

/**
 * A lake in a folder. A put is written to a scratch file and renamed under a lock between processes. So it is
 * whole and its condition holds. It is synced, so it survives a loss of power. An attempt's own state is
 * synced with the next other put. Throws LAKE_NOT_WRITABLE, LAKE_FULL and LAKE_BUSY, and at once UsageError
 * LAKE_NOT_WRITABLE for an unfit path.
 */
export function folderLake(path: string): Lake {
  const root = resolve(path);
  checkFolder(root);
  const pathOf = (key: string) => join(root, checkKey(key));
  let wasThere = existsSync(root);
  /** Throws LAKE_MISSING where the lake has disappeared: a new one would hide the loss. */
  const refuseGone = (): void => {
    if (wasThere && !existsSync(root)) throw lakeGone(path);
  };
  const at = async <Result>(key: string, step: (path: string) => Promise<Result>): Promise<Result> =>
    guarded(pathOf(key), async (to) => {
      refuseGone();
      const result = await step(to);
      wasThere ||= existsSync(root);
      return result;
    });
  return {
    name: path,
    folders: [root],
    read: async (key) => at(key, async (path) => readWhole(path)),
    open: async (key) => at(key, (path) => openReader(path).catch(noneIfMissing)),
    write: async (key, bytes, condition) =>
      at(key, async (to) => {
        using from = scratchPath(root);
        const etag = await writeNew(from.path, bytes, { isSyncedLater: isSyncedLater(key) });
        await place({ root, key, from: from.path, to, condition, refuseGone });
        return etag;
      }),
    moveIn: async (key, from, condition) =>
      at(key, async (to) => {
        if (!isSyncedLater(key)) await syncFile(from);
        await place({ root, key, from, to, condition, refuseGone });
      }),
    list: (prefix, after) => listFolder(root, prefix, after),
    remove: async (keys) => guarded(root, async () => removeFiles(root, keys.map(pathOf))),
    localPaths: async (keys) => keys.map(pathOf),
    scratch: async () => at(SCRATCH, () => makeScratch(root)),
  };
}

interface Placing {
  readonly root: string;
  readonly key: string;
  /** A file that is already synced, or may be synced later. */
  readonly from: string;
  readonly to: string;
  readonly condition: Condition | undefined;
  /** Throws where the lake has disappeared. */
  readonly refuseGone: () => void;
}

async function place({ root, key, from, to, condition, refuseGone }: Placing): Promise<void> {
  const isLater = isSyncedLater(key);
  // The disk has everything that a head names before it has the head.
  if (!isLater) await syncDue(root);
  const folder = dirname(to);
  refuseGone();
  const firstMade = withFolderLock(root, () => {
    if (condition !== undefined && !holds(condition, to)) throw new ConditionFailed(key);
    const made = makeFolder(root, folder);
    keepPrivate(root, from);
    renameSync(from, to);
    return made;
  });
  if (isLater) syncLater(root, { file: to, firstMade });
  else await syncFolders({ file: to, firstMade });
}

function holds(condition: Condition, path: string): boolean {
  return 'absent' in condition ? !existsSync(path) : readWhole(path)?.etag === condition.match;
}

function removeFiles(root: string, paths: readonly string[]): void {
  if (!existsSync(root)) return;
  for (let from = 0; from < paths.length; from += REMOVED_AT_ONCE) {
    withFolderLock(root, () => {
      for (const path of paths.slice(from, from + REMOVED_AT_ONCE)) {
        rmSync(path, { force: true });
        removeEmptyFolders(root, dirname(path));
      }
    });
  }
}

function removeEmptyFolders(root: string, folder: string): void {
  try {
    for (let each = folder; each !== root; each = dirname(each)) rmdirSync(each);
  } catch (error) {
    if (errno(error) !== 'ENOTEMPTY' && !isMissingFile(error)) throw error;
  }
}

/** The objects of a folder lake with keys that begin with the prefix, in the order of S3. */
async function* listFolder(root: string, prefix: string, after = ''): AsyncGenerator<ListedObject> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  if (folder !== '') checkKey(folder.slice(0, -1));
  yield* walk({ root, folder, prefix, after });
}

interface FolderWalk {
  readonly root: string;
  /** Ends with `/`, or is empty. */
  readonly folder: string;
  readonly prefix: string;
  /** Only keys after this one are listed. */
  readonly after: string;
}

async function* walk({ root, folder, prefix, after }: FolderWalk): AsyncGenerator<ListedObject> {
  const path = join(root, folder);
  const found = unlessMissing(path, () => readdirSync(path, { withFileTypes: true })) ?? [];
  // The lake's own folder may have links of other programs.
  if (folder !== '')
    for (const entry of found) if (entry.isSymbolicLink()) refuseLink(join(path, entry.name));
  const keys = found
    .filter((entry) => entry.isFile() || entry.isDirectory())
    // A folder sorts with its `/`, as its keys do: `a-b/x` comes before `a/x`.
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .filter((key) => key !== `${SCRATCH}/` && !key.startsWith('state/.lock'))
    .filter((key) => key.startsWith(prefix) || prefix.startsWith(key))
    .filter((key) => key > after || (key.endsWith('/') && after.startsWith(key)))
    .sort((a, b) => (a < b ? -1 : 1));
  for (const key of keys) {
    if (key.endsWith('/')) yield* walk({ root, folder: key, prefix, after });
    else {
      const file = join(root, key);
      const size = unlessMissing(file, () => statSync(file).size);
      if (size !== undefined) yield { key, size };
    }
  }
}

/** Undefined where another process has removed it in the meantime. */
function unlessMissing<Found>(path: string, look: () => Found): Found | undefined {
  try {
    return look();
  } catch (cause) {
    if (isMissingFile(cause)) return undefined;
    throw folderError(cause, path);
  }
}
