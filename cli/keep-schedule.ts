import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { ExportError } from '#lib/errors.ts';
import { roundedTime } from './rounded.ts';
import { note } from './say.ts';

/** Looks at the clock so often, because somebody may set it, and a laptop may sleep. */
const LOOK_MS = 60_000;

interface KeptSchedule {
  readonly clock: {
    readonly now: () => Date;
    /** Resolves after so many milliseconds, or at once when the signal aborts. */
    readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  };
  /** When the schedule is due after a moment; undefined if never again. Read again after each run. */
  readonly dueAfter: (moment: Date) => Promise<Date | undefined>;
  /** One run. It throws nothing: the next one is due whatever happens to it. */
  readonly run: (due: Date) => Promise<void>;
  /** Aborts to end the schedule. A running run ends first. */
  readonly stop: AbortSignal;
  readonly say: (text: string) => void;
}

/** Runs whenever a schedule is due, one run at a time, until `stop` or until it is never due again. */
export async function keepSchedule({ clock, dueAfter, run, stop, say }: KeptSchedule): Promise<void> {
  const shown = (time: Date) => roundedTime(time.toISOString());
  let from = clock.now();
  while (!stop.aborted) {
    const due = await dueAfter(from);
    if (due === undefined) return say('the schedule has no further time, so no run begins any more');
    say(`the next run is due at ${shown(due)}`);
    while (!stop.aborted && clock.now() < due)
      await clock.sleep(Math.min(LOOK_MS, due.getTime() - clock.now().getTime()), stop);
    if (stop.aborted) return;
    await run(due);
    from = clock.now() > due ? clock.now() : due;
    const missed = await dueAfter(due);
    if (missed !== undefined && missed <= from)
      say(
        `the run that was due at ${shown(missed)} was left out, because the run before it lasted until ${shown(from)}`,
      );
  }
}

/** The config as its file is now; the previous one if the file has become wrong. */
export async function configNow(
  { config: file }: { readonly config: string },
  before: Config,
): Promise<Config> {
  try {
    return await readConfig(file);
  } catch (error) {
    sayAndGoOn(error);
    return before;
  }
}

/** A run that fails does not end the schedule. A bug in this program ends it. */
export function sayAndGoOn(error: unknown): void {
  if (!(error instanceof ExportError)) throw error;
  note(`${error.code}: ${error.message}`);
}
