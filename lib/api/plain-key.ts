import { UsageError } from '../errors.ts';
import type { Source } from '../sources/source.ts';

/** Ordinary words and numbers contain shorter keys, so replacing them would damage the answers. */
const LEAST = 8;

/** No data contains a random text of this length by chance. */
const RANDOM = 20;

/** A key has at least this many different characters. */
const DIFFERENT = 4;

const PLAIN_KEY_CURE = `let the server make a random key of at least ${RANDOM} characters`;

/** Why a key is too plain to be found and removed in stored text; undefined where it is not. */
export function plainKeyFault(key: string): string | undefined {
  if (key.length < LEAST) return `is shorter than ${LEAST} characters`;
  if (key.length < RANDOM && /^[\d.,:+\-/]+$/.test(key)) return 'has digits alone, as ids and dates have';
  return new Set(key).size < DIFFERENT ? `has fewer than ${DIFFERENT} different characters` : undefined;
}

/** Throws SECRET_INVALID where the key of a source is too plain. */
export function refusePlainKey(key: string, { name, secret }: Pick<Source, 'name' | 'secret'>): void {
  const fault = plainKeyFault(key);
  if (fault === undefined) return;
  throw new UsageError(
    `The key in the secret ${JSON.stringify(secret)} of source ${name} ${fault}: data may contain the same text by chance, and removing it there would change data; ${PLAIN_KEY_CURE}.`,
    'SECRET_INVALID',
  );
}
