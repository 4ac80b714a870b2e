import { hash } from 'node:crypto';
import type { Resource } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import type { ApiClient } from '../client.ts';
import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '../limits.ts';

/** A 404 or 410 that answered a listed parent's listing. */
export interface Missing {
  readonly resource: Resource;
  readonly parentId: string;
  readonly status: number | null;
  /** The beginning of its body. */
  readonly text: string;
}

export interface GoneVerdict {
  readonly isGone: boolean;
  /** A short name of the answer's text, equal for all parents with this answer. */
  readonly name: string;
  /** HTTP requests that this verdict cost. */
  readonly attempts: number;
}

/** Decides whether a 404 means that the parent is gone. */
export type GoneProof = ReturnType<typeof createGoneProof>;

/**
 * A parent is gone if its answer equals that for an impossible parent. That one is requested once for each
 * listing. `{"message": "Device is offline"}` comes for an existing parent. An answer without a word counts
 * by its status.
 */
export function createGoneProof({ client, source }: { readonly client: ApiClient; readonly source: Source }) {
  const known = new Map<string, Promise<string | null>>();

  return {
    /** Throws CallRefused where the API refuses the whole source. */
    async of(missing: Missing): Promise<GoneVerdict> {
      const { resource, parentId, text } = missing;
      const name = nameOf(missing);
      if (!/\p{L}/u.test(text)) return { isGone: true, name, attempts: 0 };
      let attempts = 0;
      /** The answer to an impossible parent; null where it is not a 404 or 410. */
      const ask = async (): Promise<string | null> => {
        const invented = inventedId(parentId);
        const bounds = { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
        const reply = await client.get(resource.target(source, invented), bounds);
        attempts = reply.attempts;
        if (reply.kind === 'answer') reply.body?.close();
        if (reply.kind === 'answer' || reply.outcome !== 'gone') return null;
        return nameOf({ status: reply.status, text: reply.text, parentId: invented });
      };
      const asked = known.get(resource.name) ?? ask();
      known.set(resource.name, asked);
      return { isGone: (await asked) === name, name, attempts };
    },
  };
}

function nameOf({ status, text, parentId }: Omit<Missing, 'resource'>): string {
  return hash('sha256', `${status} ${textShape(text, parentId)}`).slice(0, 8);
}

const NUMBERS = ['1999999973', '1999999943'] as const;

/** An id of the same form that no record has, so the server can still read the path. */
export function inventedId(id: string): string {
  if (/^\d{1,10}$/.test(id)) return id === NUMBERS[0] ? NUMBERS[1] : NUMBERS[0];
  const signs = '0123456789abcdef';
  const mirrored = '9876543210fedcba';
  const invented = id.replaceAll(/[\da-f]/g, (sign) => mirrored[signs.indexOf(sign)] ?? sign);
  if (/^\d+$/.test(id)) return `8${invented.slice(1)}`;
  return invented === id ? `${id}0` : invented;
}

/** The most characters of an answer that are read. */
const LONGEST = 4000;
/** A longer text is not a message. */
const LONGEST_MESSAGE = 200;

interface RefusalOf {
  readonly text: string;
  readonly parentId: string;
}

/** A refusal's text for any record and time: the id, and words with a digit in them, are `#`. */
export function textShape(text: string, id: string): string {
  const encoded = encodeURIComponent(id);
  const spelled = [encoded, encoded.toLowerCase(), id];
  const plain = spelled.reduce((all, each) => all.replaceAll(each, '#'), text.slice(0, LONGEST));
  const parts = plain.split(/([\s"'`<>(){}[\],;:/=&?]+)/);
  return parts.map((part) => (/\d/.test(part) ? '#' : part)).join('');
}

/** The explanation in a refusal, with `#` for the parent's id and for numbers; null without one. */
export function messageOfRefusal({ text, parentId }: RefusalOf): string | null {
  const message = messageIn(text);
  return message === null ? null : textShape(message, parentId);
}

/** The first text of its JSON with two words, else the first text, else the whole text. */
function messageIn(text: string): string | null {
  try {
    const texts: string[] = [];
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    const isSentence = (each: string) => each.length <= LONGEST_MESSAGE && /\p{L}\s+\p{L}/u.test(each);
    return texts.find(isSentence) ?? texts[0] ?? null;
  } catch {
    return text.length <= LONGEST_MESSAGE && /\p{L}/u.test(text) ? text.trim() : null;
  }
}

/** True where a refusal has one of the texts in the setting `none`, with any ids and numbers. */
export function saysNone(refusal: RefusalOf, none: readonly string[]): boolean {
  const message = none.length === 0 ? null : messageOfRefusal(refusal);
  return message !== null && none.some((each) => textShape(each, refusal.parentId) === message);
}
