import ky from 'ky';
import { MAX_ATTEMPTS } from './backoff.ts';
import type { Tried } from './judge.ts';

/** A try that brought no usable answer. */
class Unusable extends Error {
  readonly tried: Tried;

  constructor(tried: Tried) {
    super(tried.judgement.message);
    this.tried = tried;
  }
}

export type Retries = ReturnType<typeof createRetries>;

/**
 * The ky instance of a source: `attempt` is its fetch, and the policy of the try decides whether ky repeats it. ky
 * sees the status of an answer. Its body stays with the try, because it is read as it comes, and only up to a limit.
 */
export function createRetries(origin: string) {
  const api = ky.create({
    timeout: false,
    retry: {
      limit: MAX_ATTEMPTS - 1,
      shouldRetry: ({ error }) => error instanceof Unusable && error.tried.waitMs !== null,
      // The next try waits instead, by the clock of the client.
      delay: () => 0,
    },
  });
  return async (target: string, attempt: () => Promise<Tried>): Promise<Tried> => {
    const usable: Tried[] = [];
    const fetch = async (): Promise<Response> => {
      const tried = await attempt();
      if (tried.judgement.code !== null || tried.received === null) throw new Unusable(tried);
      usable.push(tried);
      return new Response(null, { status: tried.received.status });
    };
    const end = await api(origin + target, { fetch }).catch((error: unknown) => error);
    const tried = end instanceof Unusable ? end.tried : usable[0];
    if (tried === undefined) throw end;
    return tried;
  };
}
