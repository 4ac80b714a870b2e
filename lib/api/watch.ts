export interface WatchTimes {
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The timers of one call. */
export interface Watch {
  /** The answer has begun: from now on silence counts. */
  readonly answered: () => void;
  /** Bytes have come. */
  readonly alive: () => void;
  readonly stop: () => void;
}

/** Starts the timers of a call; stop it. Tells once what was waited for in vain. */
export function startWatch(
  { firstByteMs, idleMs, totalMs }: WatchTimes,
  giveUp: (why: string) => void,
): Watch {
  const after = (ms: number, what: string) => setTimeout(() => giveUp(`${what} in ${ms / 1000} s`), ms);
  const total = after(totalMs, 'no whole answer');
  let silence = firstByteMs < totalMs ? after(firstByteMs, 'no answer') : null;
  return {
    answered: () => {
      if (silence !== null) clearTimeout(silence);
      silence = idleMs < totalMs ? after(idleMs, 'no further byte') : null;
    },
    alive: () => silence?.refresh(),
    stop: () => {
      clearTimeout(total);
      if (silence !== null) clearTimeout(silence);
    },
  };
}
