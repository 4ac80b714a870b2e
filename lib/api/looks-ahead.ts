import { createHash } from 'node:crypto';
import type { Target } from '../sources/resources.ts';
import type { Body } from './body/body.ts';
import { keyOf } from './paging/page-target.ts';
import type { Pager } from './paging/turn.ts';
import type { Reply } from './reply.ts';

/** The replies to the calls of a listing, of which those that only look for further pages are asked for side by side. */
export interface LooksAhead extends Disposable {
  readonly get: (target: Target) => Promise<Reply>;
  /** The replies that nobody has got: a look before them has led to further pages, or a server has failed. */
  readonly left: () => Promise<readonly Reply[]>;
  /** True for an answer to a look that is the first page byte for byte: no record of it is another one. */
  readonly isFirstAgain: (body: Body) => boolean;
}

/** Of a larger body no digest is made: its tries are compared record by record. */
const DIGEST_BYTES = 64 * 1024 * 1024;
const STEP_BYTES = 1024 * 1024;

export function createLooksAhead(pager: Pager, ask: (target: Target) => Promise<Reply>): LooksAhead {
  const asked = new Map<string, Promise<Reply>>();
  let first: string | null = null;
  const asksNow = (look: Target): void => {
    if (asked.has(keyOf(look))) return;
    const reply = ask(look);
    // Whoever gets it is told of its error; that of one whom nobody gets is of no use.
    reply.catch(() => {});
    asked.set(keyOf(look), reply);
  };
  const taken = (target: Target): Promise<Reply> | undefined => {
    if (asked.size === 0) return undefined;
    const reply = asked.get(keyOf(target));
    asked.delete(keyOf(target));
    return reply;
  };
  return {
    get: (target) => {
      const reply = taken(target) ?? ask(target);
      const { path, query } = pager.first;
      for (const more of pager.ahead()) asksNow({ path, query: { ...query, ...more } });
      return reply;
    },
    left: async () => {
      const replies = await Promise.allSettled(asked.values());
      return replies.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    },
    isFirstAgain: (body) => {
      if (body.bytes > DIGEST_BYTES || (first !== null && !pager.isTrying())) return false;
      const digest = digestOf(body);
      first ??= digest;
      return pager.isTrying() && digest === first;
    },
    [Symbol.dispose]: () => {
      for (const each of asked.values()) each.then(closeBody, () => {});
    },
  };
}

function closeBody(reply: Reply): void {
  if (reply.kind === 'answer') reply.body?.close();
}

function digestOf({ bytes, read }: Body): string {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes; at += STEP_BYTES) hash.update(read(at, Math.min(bytes, at + STEP_BYTES)));
  return hash.digest('base64');
}
