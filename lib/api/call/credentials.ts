import { keyOf, type SecretStore } from '../../config/secrets.ts';
import { ExportError } from '../../errors.ts';
import type { Source } from '../../sources/source.ts';
import { SECRET_MIN_LENGTH } from '../body/redact.ts';
import { createSecretFinder, type SecretFinder } from '../body/secret-finder.ts';
import type { Clock } from '../clock.ts';

/** A key as it was read once. */
export interface Key {
  /** The one header that carries it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Counts the readings from 1. */
  readonly reading: number;
}

export interface Credentials {
  readonly current: () => Promise<Key>;
  /**
   * A key read after `used`: reads the secret past its cache, once a second at most and once for all calls that
   * were refused together; the same key where nothing newer is to be had, or the secret cannot be read.
   */
  readonly renew: (used: Key) => Promise<Key>;
  /** Notes that the server took the key; `wasAccepted` says whether it did since the key was read. */
  readonly accept: (key: Key) => void;
  readonly wasAccepted: (key: Key) => boolean;
  /** Finds every key read so far in what the server answers. */
  readonly finder: () => SecretFinder;
}

/** 1,000 players that answer 401 to a good key must not cost 1,000 readings of the secret. */
const RENEW_INTERVAL_MS = 1000;

/** A source's credentials, read from its secret when first needed; throws what the store throws, and SECRET_INVALID. */
export function createCredentials(
  source: Source,
  { secrets, clock }: { readonly secrets: SecretStore; readonly clock: Clock },
): Credentials {
  const values = new Set<string>();
  let finder = createSecretFinder([]);
  let begun = 0;
  let accepted = 0;
  let reading: Promise<Key> | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function read(fresh: boolean, number: number): Promise<Key> {
    const secret = await secrets.read(source.secret, { fresh });
    const { key, header } = keyOf(source, secret);
    if (key.length < SECRET_MIN_LENGTH) throw tooShort(source);
    values.add(key);
    finder = createSecretFinder([...values]);
    return { headers: { [header.name]: header.prefix + key }, reading: number };
  }

  /** Begins a reading that all callers share; after a failed one the next caller begins another. */
  function begin(fresh: boolean, otherwise?: () => Key): Promise<Key> {
    begun += 1;
    const mine = otherwise === undefined ? read(fresh, begun) : read(fresh, begun).catch(otherwise);
    reading = mine;
    mine.catch(() => {
      if (reading === mine) reading = null;
    });
    return mine;
  }

  const current = (): Promise<Key> => reading ?? begin(false);

  return {
    current,
    renew: (used) => {
      const now = clock.monotonic();
      if (begun > used.reading || now - renewedAt < RENEW_INTERVAL_MS) return current();
      renewedAt = now;
      // Where the secret cannot be read now, the server is asked with the key that was read before.
      return begin(true, () => {
        begun = used.reading;
        return used;
      });
    },
    accept: (key) => {
      accepted = Math.max(accepted, key.reading);
    },
    wasAccepted: (key) => accepted >= key.reading,
    finder: () => finder,
  };
}

function tooShort({ name, secret }: Source): ExportError {
  const message = `The secret ${JSON.stringify(secret)} of source ${name} is shorter than ${SECRET_MIN_LENGTH} characters: it could not be told from other words when it is kept out of what is stored. Use a longer key.`;
  return new ExportError({ code: 'SECRET_INVALID', message });
}
