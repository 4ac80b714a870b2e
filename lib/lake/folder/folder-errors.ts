import { ExportError } from '../../errors.ts';
import { ConditionFailed } from '../lake.ts';

const NAME_ANOTHER = 'or name another folder with --lake';

interface FolderFault {
  readonly code: 'LAKE_NOT_WRITABLE' | 'LAKE_FULL';
  readonly says: (path: string) => string;
}

const NO_PERMISSION: FolderFault = {
  code: 'LAKE_NOT_WRITABLE',
  says: (path) =>
    `No permission for ${path}. Give this user read and write permission there, ${NAME_ANOTHER}.`,
};
const NOT_A_FOLDER: FolderFault = {
  code: 'LAKE_NOT_WRITABLE',
  says: (path) =>
    `${path} cannot be reached, for a part of this path is a file, not a folder. Move it away, ${NAME_ANOTHER}.`,
};
const NO_PLACE: FolderFault = {
  code: 'LAKE_NOT_WRITABLE',
  says: (path) =>
    `${path} cannot be made: this file system has no place for it. Name another folder with --lake.`,
};
const NO_SPACE: FolderFault = {
  code: 'LAKE_FULL',
  says: (path) =>
    `No space is left for ${path}. Free some on that disk, ${NAME_ANOTHER}; what was committed is unharmed.`,
};

/** What the operating system says → what we say. */
const FAULTS: Readonly<Record<string, FolderFault>> = {
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: NO_PERMISSION,
  // Of a folder whose parent is there: /proc says so.
  ENOENT: NO_PLACE,
  ENOTDIR: NOT_A_FOLDER,
  EEXIST: NOT_A_FOLDER,
  EISDIR: NOT_A_FOLDER,
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
  // A limit on the size of files (ulimit -f) ends a put as a full disk does.
  EFBIG: NO_SPACE,
};

/** The error to throw for what the file system, or the lock, threw at a path of a folder lake. */
export function folderError(cause: unknown, path: string): Error {
  if (cause instanceof ExportError || cause instanceof ConditionFailed) return cause;
  const fault = FAULTS[errno(cause) ?? ''];
  const code = fault?.code ?? 'LAKE_NOT_WRITABLE';
  const says = fault?.says(path) ?? `${path} cannot be read or written. See the cause, ${NAME_ANOTHER}.`;
  return new ExportError({ code, message: says, cause });
}

/** The operating system's word for an error (`ENOENT`), where it has one. */
export function errno(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the path, or a folder on the way to it, is not there. */
export function isMissingFile(error: unknown): boolean {
  return errno(error) === 'ENOENT';
}
