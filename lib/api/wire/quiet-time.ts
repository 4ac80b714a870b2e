import type { Clock } from '../clock.ts';

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
