import { setTimeout as delay } from 'node:timers/promises';

/** Time that passes, as calls to the API need it. */
export interface Clock {
  /** Milliseconds that never go back, from any beginning. */
  readonly monotonic: () => number;
  /** Resolves after this many milliseconds; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};
