import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkKey, type ListedObject } from '../lake.ts';
import { refuseLink } from './check-folder.ts';
import { folderError, isMissingFile } from './folder-errors.ts';
import { SCRATCH } from './folder-scratch.ts';

/** The objects of a folder lake with keys that begin with the prefix, in the order of S3. */
export async function* listFolder(root: string, prefix: string, after = ''): AsyncGenerator<ListedObject> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  if (folder !== '') checkKey(folder.slice(0, -1));
  yield* walk({ root, folder, prefix, after });
}

interface FolderWalk {
  readonly root: string;
  /** Ends with `/`, or is empty. */
  readonly folder: string;
  readonly prefix: string;
  /** Only keys after this one are listed. */
  readonly after: string;
}

async function* walk({ root, folder, prefix, after }: FolderWalk): AsyncGenerator<ListedObject> {
  const path = join(root, folder);
  const found = unlessMissing(path, () => readdirSync(path, { withFileTypes: true })) ?? [];
  // The lake's own folder may have links of other programs.
  if (folder !== '')
    for (const entry of found) if (entry.isSymbolicLink()) refuseLink(join(path, entry.name));
  const keys = found
    .filter((entry) => entry.isFile() || entry.isDirectory())
    // A folder sorts with its `/`, as its keys do: `a-b/x` comes before `a/x`.
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .filter((key) => key !== `${SCRATCH}/` && !key.startsWith('state/.lock'))
    .filter((key) => key.startsWith(prefix) || prefix.startsWith(key))
    .filter((key) => key > after || (key.endsWith('/') && after.startsWith(key)))
    .sort((a, b) => (a < b ? -1 : 1));
  for (const key of keys) {
    if (key.endsWith('/')) yield* walk({ root, folder: key, prefix, after });
    else {
      const listed = listedObject(root, key);
      if (listed !== undefined) yield listed;
    }
  }
}

function listedObject(root: string, key: string): ListedObject | undefined {
  const path = join(root, key);
  const found = unlessMissing(path, () => statSync(path));
  return found && { key, size: found.size };
}

/** Undefined where another process has removed it in the meantime. */
function unlessMissing<Found>(path: string, look: () => Found): Found | undefined {
  try {
    return look();
  } catch (cause) {
    if (isMissingFile(cause)) return undefined;
    throw folderError(cause, path);
  }
}
