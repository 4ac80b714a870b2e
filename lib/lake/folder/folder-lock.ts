import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ExportError } from '../../errors.ts';
import { errno, folderError } from './folder-errors.ts';
import { makeFile, makeFolder } from './folder-modes.ts';

/**
 * The lock is held for one comparison and one rename. A process that waits this long waits for one that was stopped.
 */
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
 * Does an action while no other process does one in this lake, and gives its result. The lock is SQLite's on
 * `state/.lock`: the kernel releases it when its holder dies. The action is synchronous and short. Throws LAKE_BUSY
 * after 30 s.
 */
export function withFolderLock<Result>(lake: string, action: () => Result): Result {
  const path = join(lake, 'state', '.lock');
  // The file is opened each time, which takes 0.04 ms. After somebody removed the lake, a file kept open would be
  // another one.
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

/** Makes a file and holds it until it is released, or the process ends: the kernel knows. */
export function holdFile(path: string): HeldFile {
  return guarded(path, () => {
    closeSync(openSync(path, 'wx', 0o600));
    const lock = new DatabaseSync(path);
    lock.exec('BEGIN EXCLUSIVE');
    return { release: () => lock.close() };
  });
}

/** Whether a process holds the file. One that is missing nobody holds; it is not made. */
export function isHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    using lock = new DatabaseSync(path, { timeout: 0, readOnly: true });
    lock.exec('SELECT 1 FROM sqlite_schema');
    return false;
  } catch {
    // Its holder removes it just now, where it is not held.
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

/** The system's word for why a file cannot be opened, which SQLite keeps to itself. */
function refusalOf(path: string): string | undefined {
  try {
    closeSync(openSync(path, 'r+'));
    return undefined;
  } catch (error) {
    return errno(error);
  }
}
