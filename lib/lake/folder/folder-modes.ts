import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { makeFolders } from '../../make-folders.ts';

/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;

/**
 * Makes a folder within the lake, and gives the outermost that was made; undefined where it was there. A lake that did not
 * exist is its owner's alone (0700), and so is all that is made in a lake that nobody else may read. In a lake that
 * somebody opened for others, the umask decides.
 */
export function makeFolder(root: string, path: string): string | undefined {
  const made = makeFolders(root, 0o700);
  const below = makeFolders(path, isPrivate(root) ? 0o700 : 0o777);
  return made ?? below;
}

/** Makes an empty file where there is none: in a private lake the owner's alone. */
export function makeFile(root: string, path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', isPrivate(root) ? 0o600 : 0o666));
}

/** Gives a new file of a private lake to its owner alone: DuckDB makes files that others may read. */
export function keepPrivate(root: string, path: string): void {
  if (isPrivate(root)) chmodSync(path, 0o600);
}

function isPrivate(root: string): boolean {
  return process.platform !== 'win32' && (statSync(root).mode & OTHERS) === 0;
}
