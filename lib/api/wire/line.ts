import type { Client as UndiciClient } from 'undici';
import type { Clock } from '../clock.ts';

/** The calls of a socket since it was idle for a round trip. An extra answer shifts all later ones. */
export interface Stretch {
  /** True: an answer came without a call, or its end hides whether one did. Each may be another call's. */
  readonly isInDoubt: boolean;
}

/** A connection to the source's origin: made at its first use, and again after it broke. */
export interface Connection {
  readonly dispatch: UndiciClient['dispatch'];
  /** True: it has brought an answer since it was made. */
  isProven: boolean;
  /** The current stretch of its socket. */
  readonly stretch: () => Stretch;
  /** Call it where an answer begins, with the milliseconds that it took. */
  readonly began: (ms: number) => void;
}

/** A current stretch. */
export interface Going extends Stretch {
  isInDoubt: boolean;
  /** True: no byte can come any more that would change the verdict. */
  isOver: boolean;
  /** True: somebody waits for its end, so its connection takes no further call. */
  isAwaited: boolean;
  answers: number;
}

export interface Line {
  readonly client: UndiciClient;
  readonly connection: Connection;
  stretch: Going;
  /** True from an answer's end to the beginning of the next. */
  isBetween: boolean;
  /** Since when it has had no call; undefined while it has one. */
  freeSince: number | undefined;
}

export function newStretch(): Going {
  return { isInDoubt: false, isOver: false, isAwaited: false, answers: 0 };
}

/** Ends the stretch after a rest. */
export function endStretch(line: Line): void {
  line.stretch.isOver = true;
  line.stretch = newStretch();
}

/** The event loop may be this late to read what came. */
const LEAST_MS = 10;
/** An answer may be late by the difference between two answers, not by all that one took. */
const MOST_MS = 2000;
/** A listing that takes 100 times as long as a player's counts as one after 230 of those. */
const FORGETS = 0.98;

/** How long a connection must be idle until surely nothing more comes: a round trip of its server. */
export function createQuietTime(clock: Clock) {
  const closed = new AbortController();
  let slowest = 0;
  const left = (since: number): number =>
    since + Math.min(MOST_MS, Math.max(LEAST_MS, slowest)) - clock.monotonic();
  return {
    /** Notes how many milliseconds an answer took to begin. */
    took: (ms: number): void => {
      slowest = Math.max(ms, slowest * FORGETS);
    },
    /** True where its maximum has passed since then. */
    isLong: (since: number): boolean => clock.monotonic() - since > MOST_MS,
    /** Resolves when that time has passed since `since` (default: now), and all bytes that came were read. */
    pass: async (since = clock.monotonic()) => {
      const ms = left(since);
      if (ms > 0) await clock.sleep(ms, closed.signal).catch(() => {});
      // The first turn may only handle what was read before. Before the second, the event loop reads again.
      for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    },
    close: (): void => closed.abort(),
  };
}
