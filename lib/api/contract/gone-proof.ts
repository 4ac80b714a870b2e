import { hash } from 'node:crypto';
import type { Resource } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import type { ApiClient } from '../client.ts';
import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '../limits.ts';
import { textShape } from './refusal-text.ts';

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
export interface GoneProof {
  /** Throws CallRefused where the API refuses the whole source. */
  readonly of: (missing: Missing) => Promise<GoneVerdict>;
}

/**
 * A parent is gone if its answer equals that for an impossible parent. That one is requested once for each
 * listing. `{"message": "Device is offline"}` comes for an existing parent. An answer without a word counts
 * by its status.
 */
export function createGoneProof({
  client,
  source,
}: {
  readonly client: ApiClient;
  readonly source: Source;
}): GoneProof {
  const known = new Map<string, Promise<string | null>>();

  return {
    async of(missing) {
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

/** The highest numbers of 32 and of 64 bits are larger. */
const NUMBERS = ['1999999973', '1999999943'] as const;
const SIGNS = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'];

/** An id of the same form that no record has, so the server can still read the path. */
export function inventedId(id: string): string {
  if (/^\d+$/.test(id)) {
    const [number, other] =
      id.length <= 10 ? NUMBERS : [`8${'9'.repeat(id.length - 1)}`, '1'.repeat(id.length)];
    return id === number ? other : number;
  }
  const invented = [...id].map((sign) => {
    const signs = SIGNS.find((some) => some.includes(sign)) ?? sign;
    return signs.at(-1 - signs.indexOf(sign)) ?? sign;
  });
  const text = invented.join('');
  return text === id ? `${text}0` : text;
}
