import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkKey } from '../check-key.ts';
import { type Condition, ConditionFailed, type Lake, type ObjectReader } from '../lake.ts';
import { checkFolder } from './check-folder.ts';
import { errno, folderError, isMissingFile } from './folder-errors.ts';
import { etagNow, readWhole, writeNew } from './folder-files.ts';
import { listFolder } from './folder-list.ts';
import { withFolderLock } from './folder-lock.ts';
import { keepPrivate, makeFolder } from './folder-modes.ts';
import { makeScratch, SCRATCH, scratchPath } from './folder-scratch.ts';
import { isSyncedLater, syncDue, syncFile, syncFolders, syncLater } from './folder-syncs.ts';

/** Keys removed under one taking of the lock: about 10 ms, for other processes wait. */
const REMOVED_AT_ONCE = 200;

/**
 * A lake in a folder. Puts are written aside and renamed under a lock between processes, so they are whole, and conditions
 * hold. They are synced, so they outlast a loss of power; those of an attempt are so before the next put of another. Its errors are LAKE_NOT_WRITABLE, LAKE_FULL and LAKE_BUSY.
 * Throws UsageError LAKE_NOT_WRITABLE at once where the path is none for a lake.
 */
export function folderLake(path: string): Lake {
  const root = resolve(path);
  checkFolder(root);
  const pathOf = (key: string) => join(root, checkKey(key));
  return {
    name: path,
    folders: [root],
    read: async (key) => guarded(pathOf(key), async (path) => readWhole(path)),
    open: async (key) => guarded(pathOf(key), openReader),
    write: async (key, bytes, condition) =>
      guarded(pathOf(key), async (to) => {
        using from = scratchPath(root);
        const etag = await writeNew(from.path, bytes, { isSyncedLater: isSyncedLater(key) });
        await place({ root, key, from: from.path, to, condition });
        return etag;
      }),
    moveIn: async (key, from, condition) =>
      guarded(pathOf(key), async (to) => {
        if (!isSyncedLater(key)) await syncFile(from);
        await place({ root, key, from, to, condition });
      }),
    list: (prefix, after) => listFolder(root, prefix, after),
    remove: async (keys) => guarded(root, async () => removeFiles(root, keys.map(pathOf))),
    localPaths: async (keys) => keys.map(pathOf),
    scratch: async () => guarded(join(root, SCRATCH), () => makeScratch(root)),
  };
}

async function guarded<Result>(path: string, step: (path: string) => Promise<Result>): Promise<Result> {
  try {
    return await step(path);
  } catch (cause) {
    throw folderError(cause, path);
  }
}

async function openReader(path: string): Promise<ObjectReader | undefined> {
  const file = await openFile(path);
  if (file === undefined) return undefined;
  const { size } = await file.stat();
  return {
    size,
    read: (offset, length) => guarded(path, () => readRange(file, { offset, length })),
    close: () => file.close(),
  };
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, 'r');
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

async function readRange(file: FileHandle, range: { offset: number; length: number }): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(range.length);
  let done = 0;
  while (done < range.length) {
    const { bytesRead } = await file.read(buffer, done, range.length - done, range.offset + done);
    if (bytesRead === 0) throw new Error(`the file ends before byte ${range.offset + range.length}`);
    done += bytesRead;
  }
  return buffer;
}

interface Placing {
  readonly root: string;
  readonly key: string;
  /** A file that is synced, or may be later. */
  readonly from: string;
  readonly to: string;
  readonly condition: Condition | undefined;
}

async function place({ root, key, from, to, condition }: Placing): Promise<void> {
  const isLater = isSyncedLater(key);
  // A head is put behind all that it names.
  if (!isLater) await syncDue(root);
  const folder = dirname(to);
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
  const exists = existsSync(path);
  return 'absent' in condition ? !exists : exists && etagNow(path) === condition.match;
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
