import { readFile, stat } from 'node:fs/promises';
import type { FindHeld } from '../config/secrets.ts';
import { sharedFileWarning } from '../config/secrets-file.ts';
import { errno, UsageError } from '../errors.ts';
import { type SecretPlace, secretPlaceOf } from '../sources/secret-place.ts';
import { environmentVariable } from './environment.ts';
import { outputOf } from './output-of.ts';

/**
 * The places `env:NAME`, `file:PATH` and `exec:COMMAND` of a config, before any other. Throws SECRET_MISSING and
 * SECRET_UNREADABLE, never with a value.
 */
export function inPlace(otherwise: FindHeld, onWarning: (says: string) => void = () => {}): FindHeld {
  const warned = new Set<string>();
  /** In a container, whoever runs it decides who may read the secrets. */
  const warnOf = async ({ kind, at }: SecretPlace): Promise<void> => {
    if (kind !== 'file' || warned.has(at) || CONTAINER_SECRETS.test(at)) return;
    warned.add(at);
    const says = await sharedFileWarning(at);
    if (says !== undefined) onWarning(says);
  };
  return async (name, how) => {
    const place = secretPlaceOf(name);
    if (place === undefined) return await otherwise(name, how);
    const value = await readPlace(place);
    await warnOf(place);
    return { value, where: saying(place), isPlain: true };
  };
}

const CONTAINER_SECRETS = /^(?:\/var)?\/run\/secrets\//;

function saying({ kind, at }: SecretPlace): string {
  if (kind === 'env') return `The variable ${at}`;
  return kind === 'file' ? `The file ${at}` : `What ${JSON.stringify(at)} writes`;
}

/** The content of the place, without the line break that editors and commands add at its end. */
async function readPlace(place: SecretPlace): Promise<string> {
  return (await READERS[place.kind](place.at)).trim();
}

const READERS: Readonly<Record<SecretPlace['kind'], (at: string) => Promise<string>>> = {
  env: async (name) => {
    const value = environmentVariable(name);
    if (value !== undefined && value !== '') return value;
    throw new UsageError(
      `The config names the secret env:${name}, but the variable ${name} is not set: set it to the key where this command is started.`,
      'SECRET_MISSING',
    );
  },
  file: async (path) => {
    const there = await stat(path).catch(() => undefined);
    if (there !== undefined && !there.isFile() && !there.isDirectory()) {
      throw new UsageError(
        `The config names the secret file:${path}, but that is a FIFO or a device, not a file: put the key into a file, or write exec:COMMAND for the output of a program.`,
        'SECRET_UNREADABLE',
      );
    }
    try {
      return await readFile(path, 'utf8');
    } catch (cause) {
      throw new UsageError(
        `The config names the secret file:${path}, but that file cannot be read (${errno(cause)}): put the key there, and let this user read it.`,
        'SECRET_UNREADABLE',
      );
    }
  },
  exec: async (command) => {
    const { text, fault } = await outputOf(command);
    if (fault === undefined) return text;
    throw new UsageError(
      `The config names the secret exec:${command}, but that command ${fault}: run it by hand to see why.`,
      'SECRET_UNREADABLE',
    );
  },
};
