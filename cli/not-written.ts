import { UsageError } from '#lib/errors.ts';

const NO_FOLDER = 'name a file in a folder that exists';
const NO_RIGHT = 'this user may not write there: name another place';
const NO_SPACE = 'free some space on that disk, or name a file on another';

/** The operating system's error for a person's file → the cure. */
const CURES: Readonly<Record<string, string>> = {
  ENOENT: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: NO_RIGHT,
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
  EFBIG: NO_SPACE,
  EISDIR: 'it is a folder: name a file in it',
};

/** The error for a person's file that nobody can write; `what` names it. */
export function notWritten(what: string, code: string, cause: unknown): UsageError {
  const { code: errno = 'no file' } = cause as NodeJS.ErrnoException;
  return new UsageError(
    `${what} cannot be written (${errno}): ${CURES[errno] ?? 'name another file'}.`,
    code,
    cause,
  );
}
