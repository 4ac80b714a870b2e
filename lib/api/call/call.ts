import { ExportError } from '../../errors.ts';
import type { Target } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import type { Clock } from '../clock.ts';
import type { Received } from '../wire/receive.ts';
import type { Transport } from '../wire/transport.ts';
import type { Credentials, Key } from './credentials.ts';
import type { Limiter, Urgency } from './limiter.ts';

/** What all calls of a source share. */
export interface Caller {
  readonly source: Source;
  /** The clock for answers and Retry-After dates. */
  readonly now: () => Date;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Milliseconds in which calls may still be sent. */
  readonly timeLeft: () => number;
  /** A call that was sent in time may end so many milliseconds later. */
  readonly graceMs: number;
  /** The longest Retry-After, ms, for which a call itself waits. */
  readonly waitsMost: number;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly transport: Transport;
  readonly credentials: Credentials;
  /** Why the whole source is refused; undefined if it is not. */
  readonly refused: () => ExportError | undefined;
  /** Ends all calls with this error, also waiting ones. */
  readonly refuse: (why: ExportError) => void;
  /** Waits before a further try. */
  readonly pause: (ms: number) => Promise<void>;
}

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
  return { ...question, attempts: 0, latencyMs: 0, status: null, renewed: false };
}

/** Path and query as they are sent. WHATWG's URL would resolve `%2E%2E` to the folder above. */
export function targetText({ path, query }: Target): string {
  if (Object.keys(query).length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query).toString()}`;
}

/** The end of a call because its whole source is refused. */
export class CallRefused extends ExportError {
  /** Tries of the call so far. */
  readonly attempts: number;
  /** The status of the last answer; null if none came. */
  readonly status: number | null;

  constructor(refused: ExportError, call: { readonly attempts: number; readonly status: number | null }) {
    const { code, message } = refused;
    super({ code, message, cause: refused });
    this.attempts = call.attempts;
    this.status = call.status;
  }
}
