import { setTimeout as delay } from 'node:timers/promises';
import { roundedTime } from './rounded.ts';

/** The clock of this machine, as far as a schedule needs it. */
export interface WallClock {
  readonly now: () => Date;
  /** Resolves after so many milliseconds, or at once when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const wallClock: WallClock = {
  now: () => new Date(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
};

/** Looks at the clock so often, because somebody may set it, and a laptop may sleep. */
const LOOK_MS = 60_000;

export interface KeepScheduleOptions {
  readonly clock: WallClock;
  /** When the schedule is due after a moment; undefined if never again. Read again after each run. */
  readonly dueAfter: (moment: Date) => Promise<Date | undefined>;
  /** One run. It throws nothing: the next one is due whatever happens to it. */
  readonly run: (due: Date) => Promise<void>;
  /** Aborts to end the schedule. A running run ends first. */
  readonly stop: AbortSignal;
  readonly say: (text: string) => void;
}

/** Runs whenever a schedule is due, one run at a time, until `stop` or until it is never due again. */
export async function keepSchedule(options: KeepScheduleOptions): Promise<void> {
  const { clock, dueAfter, run, stop, say } = options;
  let from = clock.now();
  while (!stop.aborted) {
    const due = await dueAfter(from);
    if (due === undefined) {
      say('the schedule has no further time, so no run begins any more');
      return;
    }
    say(`the next run is due at ${roundedTime(due.toISOString())}`);
    while (!stop.aborted && clock.now() < due)
      await clock.sleep(Math.min(LOOK_MS, due.getTime() - clock.now().getTime()), stop);
    if (stop.aborted) return;
    await run(due);
    from = clock.now() > due ? clock.now() : due;
    const missed = await dueAfter(due);
    if (missed !== undefined && missed <= from)
      say(
        `the run that was due at ${roundedTime(missed.toISOString())} was left out, because the run before it lasted until ${roundedTime(from.toISOString())}`,
      );
  }
}
