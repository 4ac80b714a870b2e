import type { Target } from '../../sources/resources.ts';
import type { Stretch } from '../wire/line.ts';
import type { Received } from '../wire/receive.ts';
import type { Key } from './credentials.ts';
import type { Urgency } from './limiter.ts';

/** One question to the API over all its tries. */
export interface Call {
  readonly target: Target;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Tries so far. */
  attempts: number;
  /** Milliseconds of the last call. */
  latencyMs: number;
  /** The status of the last answer; null before the first. */
  status: number | null;
  /** True: the secret was read again after a 401. */
  renewed: boolean;
  /** The stretches of the connections that brought its answers. */
  readonly stretches: Set<Stretch>;
}

/** A request of a try: the first, or one along a redirect. */
export interface Hop {
  readonly target: string;
  readonly turn: Urgency;
}

/** An answer, with what its call used. */
export interface Hopped {
  readonly received: Received;
  /** The key that was sent. */
  readonly key: Key;
  /** Ends the wait of other calls; a 401 to a key that the server never accepted begins it. */
  readonly release: () => void;
}

/** A call before its first try. */
export function newCall(question: Pick<Call, 'target' | 'maxBytes' | 'timeoutMs'>): Call {
  return { ...question, attempts: 0, latencyMs: 0, status: null, renewed: false, stretches: new Set() };
}

/** Path and query as they are sent. WHATWG's URL would resolve `%2E%2E` to the folder above. */
export function targetText({ path, query }: Target): string {
  if (Object.keys(query).length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query).toString()}`;
}
