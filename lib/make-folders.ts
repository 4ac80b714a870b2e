import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, with the permission bits of `mode`. Returns the outermost new one; undefined if
 * the folder was there. Throws the system's error with the refused path. All code here uses it. Node's own recursive
 * mkdir tries for ever if the file system calls an existing folder missing, as /proc does.
 */
export function makeFolders(path: string, mode = 0o777): string | undefined {
  const above = dirname(path);
  if (above === path || existsSync(path)) return refuseFile(path);
  const made = makeFolders(above, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process has made it meanwhile.
    if (!isFolder(path)) throw error;
  }
  return made ?? path;
}

/** Lets the system refuse a folder where a file is. */
function refuseFile(path: string): undefined {
  if (!isFolder(path)) mkdirSync(path);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
