import { UsageError } from '../errors.ts';
import { valueAt } from '../fields.ts';
import type { KeyHeader } from '../sources/kind.ts';
import { kindNamed, SECRET_EXAMPLE, SECRET_FORMS } from '../sources/kinds.ts';
import type { Source } from '../sources/source.ts';
import { isLoopback } from './origin.ts';

/** The key for a source, below the name of its form, such as `{"apiKey": …}`. */
export type Secret = Readonly<Record<string, string>>;

export interface SecretStore {
  /** The secret of that name; `fresh` reads it once more, after a rotation. Throws SECRET_MISSING, SECRET_INVALID. */
  read(name: string, options?: { readonly fresh?: boolean }): Promise<Secret>;
  /** A key other than an API's, such as the masks'. Throws SECRET_MISSING, SECRET_INVALID. */
  readKey?(name: string): Promise<string>;
}

/** What a place holds under the name of a secret. */
export interface Held {
  readonly value: unknown;
  /** The place, as a message begins. */
  readonly where: string;
  /** True for a text that may be the key alone. */
  readonly isPlain?: boolean;
}

/** Finds a secret, as a layer of a store: where it is in none of its own places, the layer below finds it. */
export type FindHeld = (
  name: string,
  how: { readonly fresh: boolean; readonly form: string },
) => Promise<Held>;

/**
 * The secrets that are found, those of APIs kept for so long. A process that outlasts this reads other keys anew: a person
 * may just have replaced one.
 */
export function secretStore(find: FindHeld, keptMs = Number.POSITIVE_INFINITY) {
  const isLasting = Number.isFinite(keptMs);
  const kept = new Map<string, { readonly at: number; readonly held: Promise<Held> }>();
  const heldAs = async (name: string, form: string, fresh = false): Promise<Held> => {
    const before = kept.get(name);
    const isKept = before !== undefined && !fresh && Date.now() - before.at < keptMs;
    const { at, held } = isKept ? before : { at: Date.now(), held: find(name, { fresh, form }) };
    kept.set(name, { at, held });
    try {
      return await held;
    } catch (error) {
      kept.delete(name);
      throw error;
    }
  };
  return {
    read: async (name, { fresh = false } = {}) => {
      const { value, where, isPlain = false } = await heldAs(name, SECRET_EXAMPLE, fresh);
      return isPlain ? parsePlainSecret(String(value), where) : parseSecret(value, where);
    },
    readKey: async (name) => {
      const { value, where } = await heldAs(name, '{"key": "…"}', isLasting);
      return parseKeySecret(value, where);
    },
    /** Throws SECRET_UNREADABLE, SECRET_INVALID. */
    readWebhook: async (name: string) => {
      const { value, where } = await heldAs(name, '{"url": "…"}', isLasting);
      return parseWebhookSecret(value, where);
    },
  } satisfies SecretStore & Record<'readWebhook', unknown>;
}

/**
 * The secret that a store holds: an object, or a string of JSON, with a key in one of the forms of the kinds
 * of sources. Other members are ignored. Throws SECRET_INVALID, which names `where` and never a value.
 */
export function parseSecret(stored: unknown, where: string): Secret {
  const value = typeof stored === 'string' ? jsonOf(stored) : stored;
  const held = SECRET_FORMS.flatMap((form) => {
    const text = valueAt(value, [form]);
    return text === undefined ? [] : [{ form, text }];
  });
  const [first] = held;
  if (first === undefined) {
    throw secretInvalid(`${where} holds none of ${SECRET_FORMS.join(', ')}; write it as ${SECRET_EXAMPLE}`);
  }
  if (held.length > 1) {
    throw secretInvalid(`${where} holds ${held.map(({ form }) => form).join(' and ')}; leave one of them`);
  }
  const { form, text } = first;
  if (typeof text !== 'string' || text === '') {
    throw secretInvalid(`${where} has no text as its ${form}; write it as {"${form}": "…"}`);
  }
  return { [form]: carried(text, { where, form }) };
}

/** A key that a header cannot carry is refused here: the HTTP client's message about it would quote it. */
function carried(text: string, { where, form }: { readonly where: string; readonly form: string }): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw secretInvalid(
    `${where} has a blank, a line break or another character in its ${form} that no header carries; copy it again`,
  );
}

/** The form of a key without a name: it counts as the first form of the kind of source. */
const PLAIN = 'key';

/** The secret from a variable, a file or a command: JSON as in a store, or only the key. Throws SECRET_INVALID. */
function parsePlainSecret(text: string, where: string): Secret {
  if (text.startsWith('{')) return parseSecret(text, where);
  if (text === '') throw secretInvalid(`${where} is empty; put the key there, or ${SECRET_EXAMPLE}`);
  return { [PLAIN]: carried(text, { where, form: PLAIN }) };
}

/**
 * What `secret put` stores for its input: the value of the kind, or the whole secret as JSON. A webhook's
 * address stays as it is. Throws SECRET_INVALID.
 */
export function secretToPut(
  given: string,
  { kind, where }: { readonly kind: string; readonly where: string },
) {
  const whole: unknown = given.startsWith('{') ? jsonOf(given) : undefined;
  if (whole === undefined && given.startsWith('{'))
    throw secretInvalid(
      `${where} begins as JSON does, and is none; give the value alone, or ${SECRET_EXAMPLE}`,
    );
  if (kind === 'webhook') return parseWebhookSecret(whole ?? { url: given }, where);
  if (kind === 'key') return { key: parseKeySecret(whole ?? { key: given }, where) };
  return parseSecret(whole ?? { [kind]: given }, where);
}

/** Trials can guess a shorter key. */
const KEY_LENGTH = 16;

/** A key in a store: text, or an object with it as `key`. Throws SECRET_INVALID, which names `where`. */
function parseKeySecret(stored: unknown, where: string): string {
  const value = typeof stored === 'string' ? (jsonOf(stored) ?? stored) : stored;
  const key = typeof value === 'object' ? valueAt(value, ['key']) : value;
  if (typeof key === 'string' && key.length >= KEY_LENGTH) return key;
  throw secretInvalid(`${where} must be {"key": "…"} with at least ${KEY_LENGTH} characters`);
}

/** The receiver of messages of `notify`, and the key that signs them. */
export interface WebhookSecret {
  readonly url: string;
  /** Undefined if the receiver checks none, like Slack and Teams. */
  readonly key: string | undefined;
}

/** The webhook that a store holds as `{"url": "…", "key": "…"}`. Throws SECRET_INVALID, which names `where`. */
function parseWebhookSecret(stored: unknown, where: string): WebhookSecret {
  const value = typeof stored === 'string' ? jsonOf(stored) : stored;
  const [url, key] = [valueAt(value, ['url']), valueAt(value, ['key'])];
  if (typeof url !== 'string' || !isSafeUrl(url)) {
    throw secretInvalid(`${where} must be {"url": "https://…", "key": "…"}; the key may be left out`);
  }
  return { url, key: key === undefined ? undefined : parseKeySecret({ key }, where) };
}

/** Over http:// anybody on the way can read it; a program on this machine may receive it like that. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** The key and the header for it in the source's API. Throws SECRET_INVALID for a key of another API. */
export function keyOf(source: Source, secret: Secret): { readonly key: string; readonly header: KeyHeader } {
  const [[form, key] = ['', '']] = Object.entries(secret);
  const { secret: forms } = kindNamed(source.kind);
  const header = forms[form] ?? (form === PLAIN ? Object.values(forms)[0] : undefined);
  if (header !== undefined) return { key, header };
  throw secretInvalid(
    `The secret ${JSON.stringify(source.secret)} of source ${source.name} holds ${form}; a ${source.kind} source needs ${Object.keys(forms).join(' or ')}`,
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
