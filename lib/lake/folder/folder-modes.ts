import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { makeFolders } from '../../make-folders.ts';

/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;

/**
 * Makes a folder within the lake, and returns the outermost new one; undefined where it exists. A new lake is
 * private to its owner (0700), and so is everything in a private lake. In a lake that is open to others, the
 * umask decides.
 */
export function makeFolder(root: string, path: string): string | undefined {
  const made = makeFolders(root, 0o700);
  const below = makeFolders(path, isPrivate(root) ? 0o700 : 0o777);
  return made ?? below;
}

/** Makes a missing file empty; in a private lake only the owner may read it. */
export function makeFile(root: string, path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', isPrivate(root) ? 0o600 : 0o666));
}

/** Takes others' rights from a new file of a private lake: DuckDB makes files that others may read. */
export function keepPrivate(root: string, path: string): void {
  if (isPrivate(root)) chmodSync(path, 0o600);
}

function isPrivate(root: string): boolean {
  return process.platform !== 'win32' && (statSync(root).mode & OTHERS) === 0;
}
