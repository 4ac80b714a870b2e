import { hash } from 'node:crypto';
import type { Resource } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import type { ApiClient } from '../client.ts';
import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '../limits.ts';
import { inventedId } from './invented-id.ts';
import { textShape } from './text-shape.ts';

/** A 404 or 410 that a listed parent's listing was answered with. */
export interface Missing {
  readonly resource: Resource;
  readonly parentId: string;
  readonly status: number | null;
  /** The beginning of its body. */
  readonly text: string;
}

export interface GoneVerdict {
  readonly isGone: boolean;
  /** A short name of what the answer says, the same for every parent of which it is said. */
  readonly name: string;
  /** HTTP requests that it took to find out. */
  readonly attempts: number;
}

/** Tells what "the parent is gone" looks like from what else a server may answer with 404. */
export interface GoneProof {
  /** Throws CallRefused where the API refuses the whole source. */
  readonly of: (missing: Missing) => Promise<GoneVerdict>;
}

/**
 * A parent is gone where its answer is that for a parent that cannot exist, which is asked for once a listing of the
 * source. `{"message": "Device is offline"}` comes for a parent that is there. An answer without a word says nothing else
 * than its status.
 */
export function createGoneProof({
  client,
  source,
}: {
  readonly client: ApiClient;
  readonly source: Source;
}): GoneProof {
  const known = new Map<string, Promise<string | null>>();

  /** What a parent that cannot exist is answered; null where that is no 404 or 410. */
  async function ask(
    { resource, parentId }: Missing,
    count: (attempts: number) => void,
  ): Promise<string | null> {
    const invented = inventedId(parentId);
    const bounds = { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
    const reply = await client.get(resource.target(source, invented), bounds);
    count(reply.attempts);
    if (reply.kind === 'answer') reply.body?.close();
    if (reply.kind === 'answer' || reply.outcome !== 'gone') return null;
    return nameOf({ status: reply.status, text: reply.text, parentId: invented });
  }

  return {
    async of(missing) {
      const name = nameOf(missing);
      if (!/\p{L}/u.test(missing.text)) return { isGone: true, name, attempts: 0 };
      let attempts = 0;
      const { name: listing } = missing.resource;
      const asked =
        known.get(listing) ??
        ask(missing, (made) => {
          attempts = made;
        });
      known.set(listing, asked);
      return { isGone: (await asked) === name, name, attempts };
    },
  };
}

function nameOf({ status, text, parentId }: Omit<Missing, 'resource'>): string {
  const shape = `${status} ${textShape(text, parentId)}`;
  return hash('sha256', shape).slice(0, 8);
}
