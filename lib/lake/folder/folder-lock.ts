import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ExportError, errno } from '../../errors.ts';
import { folderError } from './folder-errors.ts';
import { makeFile, makeFolder } from './folder-modes.ts';

/** The lock covers one comparison and one rename. After this wait its holder must be a stopped process. */
const WAIT_MS = 30_000;

/** Primary result codes, @see https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

const ERRNO: Readonly<Record<number, string>> = {
  [SQLITE_READONLY]: 'EACCES',
  [SQLITE_CANTOPEN]: 'EACCES',
  [SQLITE_FULL]: 'ENOSPC',
};

/**
 * Runs an action and returns its result, while no other process runs one in this lake. The lock is SQLite's
 * on `state/.lock`: the kernel releases it when its holder dies. The action is synchronous and short. Throws
 * LAKE_BUSY after 30 s.
 */
export function withFolderLock<Result>(lake: string, action: () => Result): Result {
  const path = join(lake, 'state', '.lock');
  // The file is opened each time, in 0.04 ms. After somebody removes the lake, an open file would be another.
  const lock = opened(lake, path);
  try {
    guarded(path, () => lock.exec('BEGIN EXCLUSIVE'));
    const result = action();
    guarded(path, () => lock.exec('COMMIT'));
    return result;
  } finally {
    lock.close();
  }
}

function opened(lake: string, path: string): DatabaseSync {
  return guarded(path, () => {
    makeFolder(lake, dirname(path));
    makeFile(lake, path);
    return new DatabaseSync(path, { timeout: WAIT_MS });
  });
}

/** A file that a process holds. */
export interface HeldFile {
  readonly release: () => void;
}

/** Makes a file and holds it until it is released or the process ends; the kernel sees to that. */
export function holdFile(path: string): HeldFile {
  return guarded(path, () => {
    closeSync(openSync(path, 'wx', 0o600));
    const lock = new DatabaseSync(path);
    lock.exec('BEGIN EXCLUSIVE');
    return { release: () => lock.close() };
  });
}

/** True where a process holds the file. A missing file is not held, and is not made. */
export function isHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    using lock = new DatabaseSync(path, { timeout: 0, readOnly: true });
    lock.exec('SELECT 1 FROM sqlite_schema');
    return false;
  } catch {
    // A process holds the file, or its holder removes it just now.
    return true;
  }
}

function guarded<Result>(path: string, step: () => Result): Result {
  try {
    return step();
  } catch (cause) {
    throw lockError(cause, path);
  }
}

function lockError(cause: unknown, path: string): Error {
  const result = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : undefined;
  if (result === undefined) return folderError(cause, path);
  if (result === SQLITE_BUSY) {
    return new ExportError({
      code: 'LAKE_BUSY',
      message: `Another process has held ${path} for ${WAIT_MS / 1000} s. End the stopped process that holds it, then start again.`,
      cause,
    });
  }
  const code = result === SQLITE_CANTOPEN ? (refusalOf(path) ?? ERRNO[result]) : ERRNO[result];
  return folderError(Object.assign(new Error(String(cause)), { code, cause }), path);
}

/** The system's reason why a file does not open; SQLite does not report it. */
function refusalOf(path: string): string | undefined {
  try {
    closeSync(openSync(path, 'r+'));
    return undefined;
  } catch (error) {
    return errno(error);
  }
}
