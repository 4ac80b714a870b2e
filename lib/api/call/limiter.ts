import { CallFault } from '../call-fault.ts';
import type { Clock } from '../clock.ts';
import { CATCH_UP_MS, spacingOf } from './spacing.ts';

export interface LimiterOptions {
  readonly concurrency: number;
  /** Calls a second; null = unlimited. */
  readonly requestsPerSecond: number | null;
  readonly clock: Clock;
  /** Milliseconds that a call may wait for its place. */
  readonly patience: () => number;
  /** @default `ALONE` */
  readonly pace?: Pace;
}

/** How a limiter shares a source with the run's other limiters. */
export interface Pace {
  /** The number of limiters that let calls in, with this one. Together they keep to the source's rate. */
  readonly lanes: number;
  /** True where another limiter let calls in before: the first call keeps its distance to those. */
  readonly follows: boolean;
  /** Milliseconds that are left of an earlier wait for the server. */
  readonly pausedMs: number;
  /** Receives the milliseconds that all calls wait, because the server wants it. */
  readonly onPause: (ms: number) => void;
}

/** The only limiter of its source, and the first. */
const ALONE: Pace = { lanes: 1, follows: false, pausedMs: 0, onPause: () => {} };

/** How a call ended; 429 and 503 with the server's wait, null without one. */
export type CallEnd =
  | { readonly kind: 'answered' | 'failed' }
  | { readonly kind: 'throttled' | 'overloaded'; readonly retryAfterMs: number | null };

/**
 * Who goes first: urgent calls, which also pass a hold; then retries; then new calls. Retries after a refusal
 * (429, 503) come behind the others.
 */
export type Urgency = (typeof URGENCIES)[number];

const URGENCIES = ['urgent', 'again', 'refused', 'new'] as const;

export interface Limiter {
  /**
   * Waits for a place, which the caller releases. Rejects with CallFault RATE_LIMITED or OUT_OF_TIME once the
   * wait is surely longer than patience, or the limiter is closed.
   */
  readonly enter: (urgency?: Urgency) => Promise<Admission>;
  /** Lets only urgent calls in until the caller calls the returned function. */
  readonly hold: () => () => void;
  /** Milliseconds before the next call, as the server wants or its refusals suggest. */
  readonly pausedMs: () => number;
  readonly close: () => void;
}

export interface Admission {
  /** Releases the place. */
  readonly leave: (end: CallEnd) => void;
}

/** A 429 or 503 halves the window of calls in flight. */
const SHRINK = 0.5;
/** A 429 also doubles the gap: a window of 1 and answers in 20 ms still allow 50 calls a second. */
const GAP_FACTOR = 2;
/** 6 calls a minute; pauses slow it further. */
const GAP_CAP_MS = 10_000;
/** 35 answers halve the gap again; if 1 in 40 calls is a 429 at any rate, the gap stays bounded. */
const GAP_RECOVERY = 0.98;
const GAP_LEAST_MS = 0.1;
/** From the second 429 in a row without Retry-After, calls pause 1, 2, 4 … 30 s, a minute in all. */
const PAUSE_BASE_MS = 1000;
const PAUSE_CAP_MS = 30_000;
/**
 * A longer wait holds for the whole source only after three such answers in a row. So one player that always
 * sends a Retry-After of 20 minutes delays nobody else.
 */
export const LONG_WAIT_MS = 60_000;
const LONG_WAITS_BELIEVED = 3;

interface Waiter {
  readonly resolve: (place: Admission) => void;
  readonly reject: (error: unknown) => void;
}

/** The gate of all calls of a source: keeps rate and concurrency, and lowers both if the server wants it. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { concurrency, requestsPerSecond, clock, patience, pace = ALONE } = options;
  const spacing = spacingOf(requestsPerSecond, pace.lanes);
  const closed = new AbortController();
  const queues: Readonly<Record<Urgency, Waiter[]>> = { urgent: [], again: [], refused: [], new: [] };
  let holds = 0;
  let inFlight = 0;
  let window = concurrency;
  let gap = 0;
  let due = pace.follows ? clock.monotonic() + spacing + CATCH_UP_MS : Number.NEGATIVE_INFINITY;
  let pausedUntil = clock.monotonic() + pace.pausedMs;
  let lastShrink = Number.NEGATIVE_INFINITY;
  let throttledInARow = 0;
  let longWaitsInARow = 0;
  let asleep = false;

  function pump(): void {
    while (inFlight < Math.floor(window)) {
      const urgency = nextUrgency();
      if (urgency === undefined) return;
      const now = clock.monotonic();
      const wait = Math.max(pausedUntil, due - CATCH_UP_MS) - now;
      if (wait > 0) {
        if (wait > patience()) refuseAll(tooLong(pausedUntil > now));
        else sleep(wait);
        return;
      }
      due = Math.max(due, now) + Math.max(spacing, gap);
      inFlight += 1;
      queues[urgency].shift()?.resolve({ leave: (end) => leave(now, end) });
    }
  }

  function nextUrgency(): Urgency | undefined {
    const allowed = holds > 0 ? (['urgent'] as const) : URGENCIES;
    return allowed.find((urgency) => queues[urgency].length > 0);
  }

  function refuseAll(why: Error): void {
    for (const queue of Object.values(queues)) for (const { reject } of queue.splice(0)) reject(why);
  }

  function sleep(ms: number): void {
    if (asleep) return;
    asleep = true;
    clock.sleep(Math.max(1, ms), closed.signal).then(
      () => {
        asleep = false;
        pump();
      },
      () => undefined,
    );
  }

  function leave(begun: number, end: CallEnd): void {
    const now = clock.monotonic();
    inFlight -= 1;
    if ('retryAfterMs' in end) refused(end, { begun, now });
    else if (end.kind === 'answered') answered(begun);
    pump();
  }

  function refused(
    { kind, retryAfterMs }: Extract<CallEnd, { retryAfterMs: unknown }>,
    { begun, now }: { begun: number; now: number },
  ): void {
    if (retryAfterMs !== null && isBelieved(retryAfterMs)) {
      pause(retryAfterMs);
      pace.onPause(retryAfterMs);
    }
    if (begun < lastShrink) return;
    // Once for all calls that are in flight together; older ones do not count again.
    window = Math.max(1, window * SHRINK);
    lastShrink = now;
    if (kind === 'overloaded') return;
    // By Little's law the calls came at one per latency / calls in flight.
    const present = Math.max(gap, spacing, (now - begun) / (inFlight + 1));
    gap = Math.min(GAP_CAP_MS, present * GAP_FACTOR);
    throttledInARow += 1;
    if (retryAfterMs !== null || throttledInARow === 1) return;
    pause(Math.min(PAUSE_CAP_MS, PAUSE_BASE_MS * 2 ** (throttledInARow - 2)));
  }

  function isBelieved(waitMs: number): boolean {
    if (waitMs <= LONG_WAIT_MS) return true;
    longWaitsInARow += 1;
    return longWaitsInARow >= LONG_WAITS_BELIEVED;
  }

  function answered(begun: number): void {
    longWaitsInARow = 0;
    if (begun < lastShrink) return;
    throttledInARow = 0;
    gap = gap < GAP_LEAST_MS ? 0 : gap * GAP_RECOVERY;
    window = Math.min(concurrency, window + 1 / window);
  }

  function pause(ms: number): void {
    pausedUntil = Math.max(pausedUntil, clock.monotonic() + ms);
  }

  return {
    enter: (urgency = 'new') =>
      new Promise((resolve, reject) => {
        if (closed.signal.aborted) return reject(new Error('closed'));
        queues[urgency].push({ resolve, reject });
        pump();
      }),
    hold: () => {
      holds += 1;
      return () => {
        holds -= 1;
        pump();
      };
    },
    pausedMs: () => Math.max(0, pausedUntil - clock.monotonic()),
    close: () => {
      closed.abort();
      refuseAll(new Error('closed'));
    },
  };
}

function tooLong(paused: boolean): CallFault {
  return paused
    ? new CallFault('RATE_LIMITED', 'the server asks for a longer wait than the time that is left')
    : new CallFault('OUT_OF_TIME', 'the time ran out before the call was sent');
}
