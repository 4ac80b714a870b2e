import { ExportError, errno } from '../../errors.ts';
import { ConditionFailed } from '../lake.ts';

/** The fault and its cure where the system opens no more files. */
export const OPEN_FILES =
  'this process has as many files open as it may. Raise the limit, with `ulimit -n 4096` say, and start the same run again; what was committed is unharmed';

const NAME_ANOTHER = 'or name another folder with --lake';

/** Codes of the operating system that do not mean LAKE_NOT_WRITABLE. */
const OTHER_FAULTS: Readonly<Record<string, string>> = {
  EMFILE: 'SYSTEM_REFUSED',
  ENFILE: 'SYSTEM_REFUSED',
  ENOSPC: 'LAKE_FULL',
  EDQUOT: 'LAKE_FULL',
  // A limit on the size of files (ulimit -f) ends a put as a full disk does.
  EFBIG: 'LAKE_FULL',
};

/** Replaces an error of the file system, or of the lock, at a path of a folder lake. */
export function folderError(cause: unknown, path: string): Error {
  if (cause instanceof ExportError || cause instanceof ConditionFailed) return cause;
  const code = OTHER_FAULTS[errno(cause) ?? ''] ?? 'LAKE_NOT_WRITABLE';
  return new ExportError({ code, message: faultText(errno(cause), path), cause });
}

/** Takes a step at a path of a folder lake. Throws the errors of `folderError`. */
export async function guarded<Result>(
  path: string,
  step: (path: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await step(path);
  } catch (cause) {
    throw folderError(cause, path);
  }
}

function faultText(system: string | undefined, path: string): string {
  switch (system) {
    case 'EACCES':
    case 'EPERM':
      return `No permission for ${path}. Give this user read and write permission there, ${NAME_ANOTHER}.`;
    case 'EROFS':
      return `The disk of ${path} takes no writes: it is mounted read-only, as systems do after an error of the disk. Mount it for writing and start the same run again, ${NAME_ANOTHER}; what was committed is unharmed.`;
    case 'EMFILE':
    case 'ENFILE':
      return `${path} was not opened: ${OPEN_FILES}.`;
    // The system says this of a folder in /proc, although the parent exists.
    case 'ENOENT':
      return `${path} cannot be made: this file system has no place for it. Name another folder with --lake.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path} cannot be reached, because a part of this path is a file, not a folder. Move that file away, ${NAME_ANOTHER}.`;
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return `No space is left for ${path}. Free some space on its disk, ${NAME_ANOTHER}; what was committed is unharmed.`;
    default:
      return `${path} cannot be read or written (${system ?? 'unknown error'}). Remove the cause, ${NAME_ANOTHER}.`;
  }
}

/** The error for a lake that has disappeared. */
export function lakeGone(root: string): ExportError {
  return new ExportError({
    code: 'LAKE_MISSING',
    message: `The lake ${root} was there when this command began, and was moved or removed meanwhile. Put it back where it was and start the same run again: it goes on with what it had.`,
  });
}

/** True where the path, or a folder on the way to it, does not exist. */
export function isMissingFile(error: unknown): boolean {
  return errno(error) === 'ENOENT';
}

/** For a catch: undefined where the path does not exist. Throws every other error. */
export function noneIfMissing(error: unknown): undefined {
  if (!isMissingFile(error)) throw error;
}
