import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ObjectReader, StoredObject } from '../lake.ts';
import { guarded, noneIfMissing } from './folder-errors.ts';
import { synced } from './folder-syncs.ts';

// The system answers these calls at once, except a sync. In another thread they take ten times as long.

/** Writes a new file and returns its etag. Waits for the disk unless the file is synced later. */
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

/** An object of the lake; undefined where the file does not exist. */
export function readWhole(path: string): StoredObject | undefined {
  const file = openedIfAny(path);
  if (file === undefined) return undefined;
  try {
    const bytes = readFileSync(file);
    return { bytes, etag: etagOf(file, bytes) };
  } finally {
    closeSync(file);
  }
}

function openedIfAny(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    return noneIfMissing(error);
  }
}

/** A file that is read in parts. Throws the system's error where it does not open. */
export async function openReader(path: string): Promise<ObjectReader> {
  const file = await open(path);
  return {
    size: (await file.stat()).size,
    read: (offset, length) => guarded(path, () => readRange(file, { offset, length })),
    close: () => file.close(),
  };
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

/** The etag of a file. Each put makes a new file, so the etag changes even with equal content. */
function etagOf(file: number, bytes: Uint8Array): string {
  const { ino, mtimeNs } = fstatSync(file, { bigint: true });
  const content = hash('sha256', bytes).slice(0, 32);
  return `${content}-${ino.toString(36)}-${mtimeNs.toString(36)}`;
}
