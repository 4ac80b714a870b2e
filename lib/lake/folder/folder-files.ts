import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { StoredObject } from '../lake.ts';
import { isMissingFile, notAFile } from './folder-errors.ts';
import { synced } from './folder-syncs.ts';

// What is asked of the system here it answers at once, but for a sync. To ask it by another thread takes ten times as long.

/** Writes a new file and gives its etag; unless it is synced later, once the disk has it. */
export async function writeNew(
  path: string,
  bytes: Uint8Array,
  { isSyncedLater }: { readonly isSyncedLater: boolean },
): Promise<string> {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, bytes);
    if (!isSyncedLater) await synced(file);
    return etagOf(file, bytes);
  } finally {
    closeSync(file);
  }
}

/** An object of the lake; undefined where there is no file. */
export function readWhole(path: string): StoredObject | undefined {
  try {
    return readNow(path);
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/** The etag that a file has now, read within the lock. */
export function etagNow(path: string): string | undefined {
  return readWhole(path)?.etag;
}

function readNow(path: string): StoredObject | undefined {
  // Whoever opens a FIFO waits for its writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const there = fstatSync(file);
    if (there.isDirectory()) return undefined;
    if (!there.isFile()) throw notAFile(path, there);
    const bytes = readFileSync(file);
    return { bytes, etag: etagOf(file, bytes) };
  } finally {
    closeSync(file);
  }
}

/** The etag of a file: each put makes a new file, so the etag changes even where the content does not. */
function etagOf(file: number, bytes: Uint8Array): string {
  const { ino, mtimeNs } = fstatSync(file, { bigint: true });
  const content = hash('sha256', bytes).slice(0, 32);
  return `${content}-${ino.toString(36)}-${mtimeNs.toString(36)}`;
}
