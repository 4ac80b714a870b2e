import { closeSync, fsync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errno } from '../../errors.ts';
import { sideBySide } from '../../side-by-side.ts';
import { type KeyKind, parseKey } from '../keys.ts';
import { noneIfMissing } from './folder-errors.ts';

/**
 * The keys of an attempt's own state. After a loss of power nobody continues the attempt: a start begins the
 * next one. So these files must be on the disk only before a head names them.
 */
const OF_AN_ATTEMPT: ReadonlySet<KeyKind> = new Set([
  'plan',
  'schema',
  'outcomes',
  'summary',
  'unit',
  'published',
  'table',
]);

/** Files to sync at once. A file system joins syncs that come together. */
const AT_ONCE = 8;

/** True where a put may reach the disk later, together with the next one that may not wait. */
export function isSyncedLater(key: string): boolean {
  const kind = parseKey(key)?.kind;
  return kind !== undefined && OF_AN_ATTEMPT.has(kind);
}

/** Files and folders that are not on the disk yet. */
interface Due {
  readonly files: Set<string>;
  readonly folders: Set<string>;
  /** The end of their last sync. */
  last: Promise<unknown>;
}

/** By the lake's folder. */
const due = new Map<string, Due>();

/** Notes a new file and the folders that were made for it. */
export function syncLater(root: string, put: Put): void {
  const noted: Due = due.get(root) ?? { files: new Set(), folders: new Set(), last: Promise.resolve() };
  due.set(root, noted);
  noted.files.add(put.file);
  for (const folder of foldersOf(put)) noted.folders.add(folder);
}

/** Returns once the disk has everything that was noted. */
export async function syncDue(root: string): Promise<void> {
  const noted = due.get(root);
  if (noted === undefined) return;
  const done = noted.last.then(() => syncNoted(noted));
  noted.last = done.catch(() => {});
  await done;
}

async function syncNoted({ files, folders }: Due): Promise<void> {
  const [putFiles, putFolders] = [[...files], [...folders]];
  files.clear();
  folders.clear();
  try {
    // A file that somebody has removed since then needs no sync.
    await sideBySide(putFiles, AT_ONCE, (file) => syncFile(file).catch(noneIfMissing));
    await sideBySide(putFolders, AT_ONCE, syncFolder);
  } catch (error) {
    // The next put tries again.
    for (const file of putFiles) files.add(file);
    for (const folder of putFolders) folders.add(folder);
    throw error;
  }
}

/** Where a file was put. */
interface Put {
  readonly file: string;
  /** The outermost of the folders that were made for it. */
  readonly firstMade: string | undefined;
}

/** Returns once a renamed file and its new folders would survive a loss of power. */
export async function syncFolders(put: Put): Promise<void> {
  await sideBySide(foldersOf(put), AT_ONCE, syncFolder);
}

export async function syncFile(path: string): Promise<void> {
  await syncOpened(path, 'r+');
}

/** Returns once the disk has the open file's content. Other work goes on during these milliseconds. */
export async function synced(file: number): Promise<void> {
  await promisify(fsync)(file);
}

async function syncOpened(path: string, flags: string): Promise<void> {
  const file = openSync(path, flags);
  try {
    await synced(file);
  } finally {
    closeSync(file);
  }
}

function foldersOf({ file, firstMade }: Put): readonly string[] {
  const last = dirname(firstMade ?? file);
  const folders = [last];
  for (let each = dirname(file); each !== last; each = dirname(each)) folders.push(each);
  return folders;
}

async function syncFolder(path: string): Promise<void> {
  try {
    await syncOpened(path, 'r');
  } catch (error) {
    // Some network file systems cannot sync a folder. Another process may also have removed an empty one.
    if (errno(error) !== 'EINVAL') noneIfMissing(error);
  }
}
