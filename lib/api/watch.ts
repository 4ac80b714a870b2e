export interface WatchTimes {
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The timers of one call. */
export interface Watch {
  /** Aborts when one of the times is over. */
  readonly signal: AbortSignal;
  /** The answer has begun: from now on silence counts. */
  readonly answered: () => void;
  /** Bytes have come. */
  readonly alive: () => void;
  readonly stop: () => void;
  /** What was waited for in vain; null as long as no time is over. */
  readonly why: () => string | null;
}

/** Starts the timers of a call; stop it. */
export function startWatch({ firstByteMs, idleMs, totalMs }: WatchTimes): Watch {
  const abort = new AbortController();
  let why: string | null = null;
  const giveUp = (what: string, ms: number): void => {
    why ??= `${what} in ${ms / 1000} s`;
    abort.abort();
  };
  const total = setTimeout(() => giveUp('no whole answer', totalMs), totalMs);
  let silence =
    firstByteMs < totalMs ? setTimeout(() => giveUp('no answer', firstByteMs), firstByteMs) : null;
  return {
    signal: abort.signal,
    answered: () => {
      if (silence !== null) clearTimeout(silence);
      silence = idleMs < totalMs ? setTimeout(() => giveUp('no further byte', idleMs), idleMs) : null;
    },
    alive: () => silence?.refresh(),
    stop: () => {
      clearTimeout(total);
      if (silence !== null) clearTimeout(silence);
    },
    why: () => why,
  };
}
