import { keyOf, type SecretStore } from '../../config/secrets.ts';
import type { Source } from '../../sources/source.ts';
import { createSecretFinder, type SecretFinder } from '../body/secret-finder.ts';
import type { Clock } from '../clock.ts';
import { refusePlainKey } from '../plain-key.ts';

/** A key from one reading of the secret. */
export interface Key {
  /** The one header that carries it. */
  readonly headers: Readonly<Record<string, string>>;
  /** The number of the reading, from 1. */
  readonly reading: number;
}

export type Credentials = ReturnType<typeof createCredentials>;

/** So 1,000 players that answer 401 to a good key do not cost 1,000 readings of the secret. */
const RENEW_INTERVAL_MS = 1000;

/** Reads a source's key at its first use. Throws the store's errors and SECRET_INVALID. */
export function createCredentials(
  source: Source,
  { secrets, clock }: { readonly secrets: SecretStore; readonly clock: Clock },
) {
  const values = new Set<string>();
  let finder = createSecretFinder([]);
  let begun = 0;
  let accepted = 0;
  let reading: Promise<Key> | null = null;
  let known: Key | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function read(fresh: boolean, number: number): Promise<Key> {
    const secret = await secrets.read(source.secret, { fresh });
    const { key, header } = keyOf(source, secret);
    refusePlainKey(key, source);
    values.add(key);
    finder = createSecretFinder([...values]);
    return { headers: { [header.name]: header.prefix + key }, reading: number };
  }

  /** Begins a reading that all callers share. If it fails, the next caller begins another. */
  function begin(fresh: boolean, otherwise?: () => Key): Promise<Key> {
    begun += 1;
    const mine = otherwise === undefined ? read(fresh, begun) : read(fresh, begun).catch(otherwise);
    reading = mine;
    known = null;
    mine.then(
      (key) => {
        if (reading === mine) known = key;
      },
      () => {
        if (reading === mine) reading = null;
      },
    );
    return mine;
  }

  const current = (): Promise<Key> => reading ?? begin(false);

  return {
    current,
    /** The immediate result of `current`; null while the secret is read, or if that failed. */
    known: (): Key | null => known,
    /**
     * A newer key than `used`, or the same one if none is readable. Reads the secret without its cache, at most
     * once a second, and once for all calls that were refused together.
     */
    renew: (used: Key): Promise<Key> => {
      const now = clock.monotonic();
      if (begun > used.reading || now - renewedAt < RENEW_INTERVAL_MS) return current();
      renewedAt = now;
      // If the secret is unreadable now, the earlier key is used.
      return begin(true, () => {
        begun = used.reading;
        return used;
      });
    },
    /** Notes that the server accepted the key; `wasAccepted` says if it did so since the reading. */
    accept: (key: Key): void => {
      accepted = Math.max(accepted, key.reading);
    },
    wasAccepted: (key: Key): boolean => accepted >= key.reading,
    /** Finds every key that was read so far. */
    finder: (): SecretFinder => finder,
  };
}
