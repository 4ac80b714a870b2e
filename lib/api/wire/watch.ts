export interface WatchTimes {
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Node's timers may fire this much too early. */
const EARLY_MS = 1;

/** Watches a call until `stop`. Calls `giveUp` once with what is late. One timer serves all limits. */
export function startWatch({ firstByteMs, idleMs, totalMs }: WatchTimes, giveUp: (why: string) => void) {
  const begun = performance.now();
  /** When the latest bytes came. */
  let latest: number | null = null;
  let timer = setTimeout(look, Math.min(firstByteMs, idleMs, totalMs));

  function look(): void {
    const now = performance.now();
    const silent =
      latest === null
        ? { due: begun + firstByteMs, why: `no answer in ${firstByteMs / 1000} s` }
        : { due: latest + idleMs, why: `no further byte in ${idleMs / 1000} s` };
    const total = { due: begun + totalMs, why: `no whole answer in ${totalMs / 1000} s` };
    const { due, why } = silent.due < total.due ? silent : total;
    if (now >= due - EARLY_MS) giveUp(why);
    // An answer that begins meanwhile is due sooner.
    else timer = setTimeout(look, Math.min(due - now, idleMs));
  }

  return {
    /** Call it when the answer begins, and when more of it has come. */
    alive: (): void => {
      latest = performance.now();
    },
    stop: (): void => clearTimeout(timer),
  };
}
