import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Writes a new file and gives its etag; unless it is synced later, once the disk has it. */
export async function writeNew(
  path: string,
  bytes: Uint8Array,
  { isSyncedLater }: { readonly isSyncedLater: boolean },
): Promise<string> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    if (!isSyncedLater) await file.sync();
    const { ino, mtimeNs } = await file.stat({ bigint: true });
    return etagOf({ bytes, ino, mtimeNs });
  } finally {
    await file.close();
  }
}

/** The etag of a file: each put makes a new file, so the etag changes even where the content does not. */
export function etagOf(file: { bytes: Uint8Array; ino: bigint; mtimeNs: bigint }): string {
  const content = hash('sha256', file.bytes).slice(0, 32);
  return `${content}-${file.ino.toString(36)}-${file.mtimeNs.toString(36)}`;
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
