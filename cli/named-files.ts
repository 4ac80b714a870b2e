import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '#lib/errors.ts';
import { isOwnKey } from '#lib/lake/keys.ts';

/** What a command line names. */
export interface NamedFiles {
  readonly config: string;
  readonly lake: string;
  readonly secrets?: string | undefined;
  readonly logFile?: unknown;
  readonly out?: unknown;
  readonly xlsx?: unknown;
}

/** The keys' file for `init` and every command: next to the config. */
export function secretsNextTo(config: string): string {
  return join(dirname(config), 'secrets.json');
}

/** The program itself writes there, whatever receives it. */
const STREAMS = new Set(['/dev/stdout', '/dev/stderr']);

/**
 * Throws UsageError FILE_REFUSED if a person's file belongs to something else: to the lake, or to the config
 * under another name. Also if it is not a file, such as a FIFO, which would wait for ever.
 */
export function refuseNamedFiles({ config, lake, secrets, logFile, out, xlsx }: NamedFiles): void {
  const others = { 'the config': config, 'the secrets file': secrets };
  for (const [flag, path] of Object.entries({ '--out': out, '--xlsx': xlsx, '--log-file': logFile })) {
    if (typeof path === 'string' && !STREAMS.has(path)) refuseFile(flag, path, { lake, others });
  }
  if (secrets !== undefined) refuseFile('--secrets', secrets, { lake, others: { 'the config': config } });
}

/** Throws UsageError FILE_REFUSED if the path is not a file, such as a FIFO or a device. */
function refuseNoFile(flag: string, path: string): void {
  const there = STREAMS.has(path) ? undefined : statOf(path);
  if (there === undefined || there.isFile() || there.isDirectory()) return;
  const cure =
    flag === '--secrets'
      ? 'name a file, or write exec:COMMAND as the secret of the source in the config'
      : 'name a file';
  throw refused(flag, path, `is a ${there.isFIFO() ? 'FIFO' : 'device'} and no file: ${cure}`);
}

function refuseFile(
  flag: string,
  path: string,
  { lake, others }: { readonly lake: string; readonly others: Readonly<Record<string, string | undefined>> },
): void {
  refuseNoFile(flag, path);
  const there = statOf(path);
  for (const [name, other] of Object.entries(others)) {
    const its = other === undefined ? undefined : statOf(other);
    if (its === undefined || there?.ino !== its.ino || there.dev !== its.dev) continue;
    throw refused(flag, path, `is ${name} (${other}): name another file`);
  }
  if (lake.startsWith('s3://') || !existsSync(lake)) return;
  const key = relative(realpathSync(lake), realOf(path)).split(sep).join('/');
  if (isOwnKey(key)) throw refused(flag, path, `is a file of the lake ${lake}: name one outside it`);
  if (flag !== '--secrets' && there?.isFile() === true && there.nlink > 1)
    throw refused(flag, path, 'has a second name (a hard link), which may be of the lake: name another file');
}

const refused = (flag: string, path: string, why: string) =>
  new UsageError(`${flag} ${path} ${why}.`, 'FILE_REFUSED');

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // The open call refuses an unreadable path, with the system's word.
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
