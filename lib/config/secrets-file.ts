import { readFile, stat } from 'node:fs/promises';
import { errno, UsageError } from '../errors.ts';
import { JsonFault, parseJson } from './parse-json.ts';
import type { FindHeld } from './secrets.ts';

/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;

/**
 * The secrets of a JSON file: an object from secret name to value, an object or a string that holds JSON.
 * Throws UsageError, never with a value in it.
 */
export function inFile(file: string): FindHeld {
  return async (name, { form }) => {
    const secrets = await readSecrets(file);
    const named = JSON.stringify(name);
    if (Object.hasOwn(secrets, name))
      return { value: Reflect.get(secrets, name), where: `The secret ${named} in ${file}` };
    throw new UsageError(`${file} has no secret ${named}; add it as ${named}: ${form}.`, 'SECRET_MISSING');
  };
}

/**
 * The warning if others than its owner may read the secrets file; undefined otherwise. With `isRefused` it throws
 * UsageError SECRETS_SHARED instead: nobody reads warnings, or everybody is the reader (a CI job, root).
 */
export async function secretsFileWarning(
  file: string,
  { isRefused }: { readonly isRefused: boolean },
): Promise<string | undefined> {
  const says = await unlessUnreadable(file, () => sharedFileWarning(file));
  if (says !== undefined && isRefused) throw new UsageError(says, 'SECRETS_SHARED');
  return says;
}

/** The warning if others than its owner may read the file; undefined otherwise. Throws the system's error. */
export async function sharedFileWarning(file: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const { mode } = await stat(file);
  return (mode & OTHERS) === 0
    ? undefined
    : `Others on this machine may read ${file}: run chmod 600 ${file}.`;
}

async function readSecrets(file: string): Promise<object> {
  const text = await unlessUnreadable(file, () => readFile(file, 'utf8'));
  const fault = (what: string) => new UsageError(`${file} ${what}.`, 'SECRETS_UNREADABLE');
  try {
    const secrets = parseJson(text);
    if (typeof secrets === 'object' && secrets !== null && !Array.isArray(secrets)) return secrets;
  } catch (cause) {
    if (cause instanceof JsonFault) throw fault(`is no JSON: ${cause.message}`);
    throw cause;
  }
  throw fault(
    'must be a JSON object from secret name to secret, such as {"signage-export/berlin": {"apiKey": "…"}}',
  );
}

async function unlessUnreadable<Result>(file: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    const missing = errno(cause) === 'ENOENT';
    throw new UsageError(
      `The secrets file ${file} ${missing ? 'does not exist' : 'cannot be read'}: name one that this user may read with --secrets.`,
      'SECRETS_UNREADABLE',
      cause,
    );
  }
}
