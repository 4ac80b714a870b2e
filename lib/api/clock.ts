import { setTimeout as delay } from 'node:timers/promises';

/** Time that passes, as far as calls to the API need it. */
export interface Clock {
  /** Milliseconds that never go back, from any beginning. */
  readonly monotonic: () => number;
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};
