import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '#lib/errors.ts';
import { isOwnKey } from '#lib/lake/keys.ts';

export interface NamedFiles extends Readonly<Partial<Record<'logFile' | 'out' | 'xlsx', unknown>>> {
  readonly config: string;
  readonly lake: string;
  readonly secrets?: string | undefined;
}

/** The keys' file for `init` and every command: next to the config. */
export function secretsNextTo(config: string): string {
  return join(dirname(config), 'secrets.json');
}

/** The program itself writes there, whatever receives it. */
const STREAMS = new Set(['/dev/stdout', '/dev/stderr']);

/** Throws FILE_REFUSED if a person's file is of the lake or the config, or no file: a FIFO would wait for ever. */
export function refuseNamedFiles({ config, lake, secrets, logFile, out, xlsx }: NamedFiles): void {
  const named = { '--out': out, '--xlsx': xlsx, '--log-file': logFile, '--secrets': secrets };
  for (const [flag, path] of Object.entries(named)) {
    if (typeof path !== 'string' || STREAMS.has(path)) continue;
    const refused = (why: string) => new UsageError(`${flag} ${path} ${why}.`, 'FILE_REFUSED');
    const isSecrets = flag === '--secrets';
    const there = statOf(path);
    if (there !== undefined && !there.isFile() && !there.isDirectory()) {
      const cure = isSecrets ? ', or write exec:COMMAND as the secret of the source in the config' : '';
      throw refused(`is a ${there.isFIFO() ? 'FIFO' : 'device'} and no file: name a file${cure}`);
    }
    const others = { 'the config': config, ...(!isSecrets && { 'the secrets file': secrets }) };
    for (const [name, other] of Object.entries(others)) {
      const its = other === undefined ? undefined : statOf(other);
      if (its !== undefined && there?.ino === its.ino && there.dev === its.dev)
        throw refused(`is ${name} (${other}): name another file`);
    }
    if (lake.startsWith('s3://') || !existsSync(lake)) continue;
    const key = relative(realpathSync(lake), realOf(path)).split(sep).join('/');
    if (isOwnKey(key)) throw refused(`is a file of the lake ${lake}: name one outside it`);
    if (!isSecrets && there?.isFile() === true && there.nlink > 1)
      throw refused('has a second name (a hard link), which may be of the lake: name another file');
  }
}

/** Undefined without a file, and of an unreadable path, which the open call refuses with the system's word. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The path without links, also for a file that is not there yet. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(resolve(path));
    return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
  }
}

/** The operating system's errors for a person's file → the cure. */
const CURES: Readonly<Record<string, string>> = {
  'ENOENT ENOTDIR': 'name a file in a folder that exists',
  'EACCES EPERM EROFS': 'this user may not write there: name another place',
  'ENOSPC EDQUOT EFBIG': 'free some space on that disk, or name a file on another',
  EISDIR: 'it is a folder: name a file in it',
};

/** The error for a person's file that nobody can write; `what` names it. */
export function notWritten(what: string, code: string, cause: unknown): UsageError {
  const word = (cause as NodeJS.ErrnoException).code ?? 'no file';
  const [, cure = 'name another file'] =
    Object.entries(CURES).find(([words]) => words.split(' ').includes(word)) ?? [];
  return new UsageError(`${what} cannot be written (${word}): ${cure}.`, code, cause);
}

/** Replaces a file, or a link's target: readers find the old or the new text. Throws CONFIG_NOT_WRITTEN. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await realpath(path);
  const next = `${file}.${process.pid}.new`;
  const { mode } = await stat(file);
  try {
    await writeFile(next, text, { flag: 'wx', mode, flush: true });
    await rename(next, file);
  } catch (cause) {
    await rm(next, { force: true });
    const cure = 'give this user the right to write it and its folder, or write the settings by hand';
    throw new UsageError(`${file} cannot be written: ${cure}.`, 'CONFIG_NOT_WRITTEN', cause);
  }
}

/** The text that is piped in, without the blanks that copying adds around it. */
export async function readStdin(): Promise<string> {
  return Buffer.concat(await process.stdin.toArray())
    .toString('utf8')
    .trim();
}
