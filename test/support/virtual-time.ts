import type { Clock } from '#lib/api/clock.ts';
import type { Lake } from '#lib/lake/lake.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Rounds of the event loop in which nothing was on its way, before time passes: what has come was looked at by then. */
const QUIET_ROUNDS = 4;

/** Whether a file is read or written: work that takes this machine's time, and none of the virtual one. */
function isAtFiles(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}

/**
 * Time that passes only while everybody sleeps: as soon as nothing is on its way and no file is worked on, the next sleeper
 * wakes. So a call has the same time on both sides of a real connection, however slow this machine is.
 */
export function virtualTime(begin: Date, isOnItsWay: () => boolean) {
  let now = 0;
  let quiet = 0;
  let isOver = false;
  let sleepers: Sleeper[] = [];

  function pass(): void {
    if (isOver) return;
    quiet = isOnItsWay() ? 0 : quiet + 1;
    if (quiet > QUIET_ROUNDS && !isAtFiles()) wakeNext();
    setImmediate(pass);
  }
  function wakeNext(): void {
    quiet = 0;
    const next = sleepers.reduce<Sleeper | undefined>(
      (first, each) => (first === undefined || each.at < first.at ? each : first),
      undefined,
    );
    if (next === undefined) return;
    now = Math.max(now, next.at);
    sleepers = sleepers.filter((each) => each !== next);
    next.wake();
  }
  setImmediate(pass);

  const clock: Clock = {
    monotonic: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((each) => each !== sleeper);
          reject(new Error('aborted'));
        });
      }),
  };
  return {
    ...clock,
    now: () => new Date(begin.getTime() + now),
    [Symbol.asyncDispose]: async () => {
      isOver = true;
    },
  };
}

/** The lake, which tells when one of its operations begins (1) and ends (-1). */
export function countedLake(lake: Lake, count: (more: 1 | -1) => void): Lake {
  const during = async <Value>(step: () => Promise<Value>): Promise<Value> => {
    count(1);
    try {
      return await step();
    } finally {
      count(-1);
    }
  };
  return {
    ...lake,
    read: (key) => during(() => lake.read(key)),
    open: (key) => during(() => lake.open(key)),
    write: (...call) => during(() => lake.write(...call)),
    moveIn: (...call) => during(() => lake.moveIn(...call)),
    scratch: () => during(() => lake.scratch()),
  };
}

/**
 * Whether requests are between client and server. Those of a client that was killed never come: they are abandoned
 * after this time and so many looks. On a busy machine, this process may not have run meanwhile.
 */
const PATIENCE = { ms: 1000, looks: 5000 };

/** Between a refusal and its pause ky waits for a timer of the real time. A refusal that is the last has no pause. */
export const RETRY_PATIENCE = { ms: 20, looks: 50 };

/** Whether something that is counted is on its way; what stays for longer is lost. */
export function settling(count: () => number, patience = PATIENCE): () => boolean {
  let lost = 0;
  let last = 0;
  let since = performance.now();
  let looks = 0;
  return () => {
    const now = count();
    looks += 1;
    if (now !== last) {
      last = now;
      since = performance.now();
      looks = 0;
    }
    if (now > lost && looks > patience.looks && performance.now() - since > patience.ms) lost = now;
    lost = Math.min(lost, Math.max(0, now));
    return now > lost;
  };
}
