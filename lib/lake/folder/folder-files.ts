import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errno, isMissingFile } from './folder-errors.ts';

/** Writes a new file and gives its etag once the disk has it. */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<string> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
    const { ino, mtimeNs } = await file.stat({ bigint: true });
    return etagOf({ bytes, ino, mtimeNs });
  } finally {
    await file.close();
  }
}

/** Returns once the disk has the file. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The etag of a file: each put makes a new file, so the etag changes even where the content does not. */
export function etagOf(file: { bytes: Uint8Array; ino: bigint; mtimeNs: bigint }): string {
  const hash = createHash('sha256').update(file.bytes).digest('hex').slice(0, 32);
  return `${hash}-${file.ino.toString(36)}-${file.mtimeNs.toString(36)}`;
}

/** The etag that a file has now, read within the lock. */
export function etagNow(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { ino, mtimeNs } = fstatSync(file, { bigint: true });
    return etagOf({ bytes: readFileSync(file), ino, mtimeNs });
  } finally {
    closeSync(file);
  }
}

/**
 * Makes sure that a renamed file, and the folders made for it, are still there after a loss of power. `firstMade` is
 * the outermost of those folders.
 */
export function syncFolders(folder: string, firstMade: string | undefined): void {
  const last = firstMade === undefined ? folder : dirname(firstMade);
  for (let each = folder; each !== last; each = dirname(each)) syncFolder(each);
  syncFolder(last);
}

function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    // Some network file systems know no sync of a folder; and another process may have emptied and removed it.
    if (errno(error) !== 'EINVAL' && !isMissingFile(error)) throw error;
  }
}
