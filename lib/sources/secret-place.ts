import { nearest } from '../text.ts';

/** A secret's place other than a store: a variable of the environment, a file, or the output of a command. */
export interface SecretPlace {
  readonly kind: 'env' | 'file' | 'exec';
  /** The variable, the path or the command. */
  readonly at: string;
}

/** The place that a setting names as `env:NAME`, `file:PATH` or `exec:COMMAND`; undefined for a name in a store. */
export function secretPlaceOf(setting: string): SecretPlace | undefined {
  const [, kind, at = ''] = /^(env|file|exec):(.*)$/s.exec(setting) ?? [];
  return kind === 'env' || kind === 'file' || kind === 'exec' ? { kind, at } : undefined;
}

/** The fault in the name of a secret, as the end of "but must be …"; undefined without one. */
export function secretFault(setting: string): string | undefined {
  const meant = placeMeant(setting);
  if (meant !== undefined)
    return `the name of a secret, or a place that begins with env:, file: or exec:; did you mean ${meant}:`;
  const place = secretPlaceOf(setting);
  if (place?.kind === 'env' && !/^[A-Za-z_]\w*$/.test(place.at))
    return 'env: and the name of a variable, such as "env:SIGNAGE_KEY"';
  if (place?.at.trim() !== '') return undefined;
  return place.kind === 'file'
    ? 'file: and a path, such as "file:/run/secrets/signage"'
    : 'exec: and a command, such as "exec:pass show signage"';
}

/** The probable kind of place for the word before a colon, such as env for `evn:NAME`. */
function placeMeant(setting: string): string | undefined {
  const [, word] = /^([a-z]{2,6}):/i.exec(setting) ?? [];
  return word === undefined || secretPlaceOf(setting) !== undefined ? undefined : nearest(word, KINDS);
}

const KINDS: readonly SecretPlace['kind'][] = ['env', 'file', 'exec'];
