import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, with the permission bits of `mode`, and gives the outermost that was made; undefined
 * where the folder was there. Throws what the system says, with the path that it refused. Node's own recursive mkdir tries
 * for ever where the file system says that a folder is missing which is there, as /proc does: nothing else here makes folders.
 */
export function makeFolders(path: string, mode = 0o777): string | undefined {
  const above = dirname(path);
  if (above === path || existsSync(path)) return refuseFile(path);
  const made = makeFolders(above, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process has made it in the meantime.
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
