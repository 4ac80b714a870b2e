import ky, { HTTPError } from 'ky';
import { MAX_ATTEMPTS } from './backoff.ts';
import type { Tried } from './judge.ts';

/** An answer as ky sees it: its status. `tried` has headers and body; `ok` follows the policy. */
class TriedResponse extends Response {
  override readonly ok: boolean;
  readonly tried: Tried;

  constructor(status: number, tried: Tried) {
    // Fetch accepts no other status.
    super(null, { status: Math.min(Math.max(status, 200), 599) });
    this.ok = tried.judgement.code === null;
    this.tried = tried;
  }
}

/** A try without an answer. */
class Unanswered extends Error {
  readonly tried: Tried;

  constructor(tried: Tried) {
    super(tried.judgement.message);
    this.tried = tried;
  }
}

/** Repeats a call by ky after its first try, until a try says that there is none after it. */
export function createFurtherTries(
  origin: string,
): (target: string, attempt: () => Promise<Tried>) => Promise<Tried> {
  const api = ky.create({
    timeout: false,
    retry: {
      // The first try and the first repetition come before these.
      limit: MAX_ATTEMPTS - 2,
      shouldRetry: ({ error }) => triedOf(error).waitMs !== null,
      // The next try waits instead, by the clock of the client.
      delay: () => 0,
    },
  });
  return async (target, attempt) => {
    const fetch = async (): Promise<Response> => {
      const tried = await attempt();
      if (tried.received === null) throw new Unanswered(tried);
      return new TriedResponse(tried.received.status, tried);
    };
    try {
      return triedOf(await api(origin + target, { fetch }));
    } catch (error) {
      return triedOf(error);
    }
  };
}

/** The try behind ky's result or error; throws any other error. */
function triedOf(end: unknown): Tried {
  const found = end instanceof HTTPError ? end.response : end;
  if (found instanceof TriedResponse || found instanceof Unanswered) return found.tried;
  throw end;
}
