import { UsageError } from '../errors.ts';
import type { Source } from './config.ts';

/** What a source is asked with: the signage API takes a key or a session, the backup API a token. */
export type Secret =
  | { readonly apiKey: string }
  | { readonly sessionId: string }
  | { readonly accessToken: string };

export interface SecretStore {
  /** The secret of that name; `fresh` reads it once more, for it may have been rotated. Throws SECRET_MISSING, SECRET_INVALID. */
  read(name: string, options?: { readonly fresh?: boolean }): Promise<Secret>;
  /** A key that is no API's, such as that of masks. Throws SECRET_MISSING, SECRET_INVALID. */
  readKey?(name: string): Promise<string>;
}

const KINDS = ['apiKey', 'sessionId', 'accessToken'] as const;

/** What each API takes. */
const FITS: Readonly<Record<Source['kind'], readonly string[]>> = {
  signage: ['apiKey', 'sessionId'],
  backup: ['accessToken'],
};

/**
 * The secret that a store holds: an object, or a string of JSON, with one of apiKey, sessionId and accessToken; what
 * else is in it is left alone. Throws SECRET_INVALID, which names `where` and never a value.
 */
export function parseSecret(stored: unknown, where: string): Secret {
  const value = typeof stored === 'string' ? jsonOf(stored) : stored;
  const held = KINDS.flatMap((kind) => {
    const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, kind) : undefined;
    return text === undefined ? [] : [{ kind, text }];
  });
  const [first] = held;
  if (first === undefined) {
    throw secretInvalid(
      `${where} holds none of ${KINDS.join(', ')}; write it as {"apiKey": "…"}, of a backup source {"accessToken": "…"}`,
    );
  }
  if (held.length > 1) {
    throw secretInvalid(`${where} holds ${held.map(({ kind }) => kind).join(' and ')}; leave one of them`);
  }
  const { kind, text } = first;
  if (typeof text !== 'string' || text === '') {
    throw secretInvalid(`${where} has no text as its ${kind}; write it as {"${kind}": "…"}`);
  }
  // What a header cannot carry would be refused by fetch, in a message that quotes it.
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw secretInvalid(
      `${where} has a blank, a line break or another character in its ${kind} that no header carries; copy it again`,
    );
  }
  if (kind === 'apiKey') return { apiKey: text };
  return kind === 'sessionId' ? { sessionId: text } : { accessToken: text };
}

/** Shorter keys can be guessed by trying. */
const KEY_LENGTH = 16;

/** A key that a store holds: text, or an object with it as `key`. Throws SECRET_INVALID, which names `where`. */
export function parseKeySecret(stored: unknown, where: string): string {
  const value = typeof stored === 'string' ? (jsonOf(stored) ?? stored) : stored;
  const key: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'key') : value;
  if (typeof key === 'string' && key.length >= KEY_LENGTH) return key;
  throw secretInvalid(`${where} must be {"key": "…"} with at least ${KEY_LENGTH} characters`);
}

/** Throws SECRET_INVALID where the source's API does not take such a secret. */
export function checkSecretFits(source: Source, secret: Secret): void {
  const [kind = ''] = Object.keys(secret);
  const due = FITS[source.kind];
  if (due.includes(kind)) return;
  throw secretInvalid(
    `The secret ${JSON.stringify(source.secret)} of source ${source.name} holds ${kind}; a ${source.kind} source needs ${due.join(' or ')}`,
  );
}

function secretInvalid(says: string): UsageError {
  return new UsageError(`${says}.`, 'SECRET_INVALID');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
