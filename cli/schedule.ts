import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { nextDue, readSchedule } from '#lib/config/schedule.ts';
import { ExportError } from '#lib/errors.ts';
import { INTERRUPTED } from './interrupts.ts';
import { openCheckedSecrets, openLake, openSecrets } from './local-services.ts';
import { commandOf, type GlobalOptions } from './options.ts';
import { printRun } from './print-run.ts';
import { roundedTime } from './rounded.ts';
import { exportHere } from './run-locally.ts';
import { note } from './say.ts';

export const addSchedule = commandOf({}, async (options) => {
  let config = await readConfig(options.config);
  // Refuses a schedule that is never due, before anything waits for it.
  readSchedule(config, new Date());
  await openCheckedSecrets(options.secrets, config);
  using signals = stopsBySignal();
  await keepSchedule({
    clock: {
      now: () => new Date(),
      sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
    },
    dueAfter: async (moment) => {
      config = await configNow(options.config, config);
      return nextDue(config, moment);
    },
    run: async (due) => {
      signals.running = true;
      await runOnce(due, config, options).catch(sayAndGoOn);
      signals.running = false;
    },
    stop: signals.stop,
  });
  if (signals.ended === 'SIGINT') process.exitCode = INTERRUPTED;
});

async function runOnce(due: Date, config: Config, options: GlobalOptions): Promise<void> {
  const event = { scheduledTime: due.toISOString(), isByOwnClock: true };
  const [lake, secrets] = [await openLake(options.lake), await openSecrets(options.secrets)];
  printRun(await exportHere(event, { config, lake, secrets }), { ...options, configured: config });
}

/** The first SIGINT or SIGTERM ends the schedule after the present run; a second one ends that run too. */
function stopsBySignal() {
  const controller = new AbortController();
  const signals = {
    stop: controller.signal,
    running: false,
    ended: undefined as NodeJS.Signals | undefined,
    [Symbol.dispose]: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
  function onSignal(signal: NodeJS.Signals) {
    if (signals.ended !== undefined) process.exit(signal === 'SIGINT' ? INTERRUPTED : 0);
    signals.ended = signal;
    if (signals.running) note(`${signal}: this run is the last one; a second ${signal} ends it too`);
    controller.abort();
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return signals;
}

/** Looks at the clock so often, because somebody may set it, and a laptop may sleep. */
const LOOK_MS = 60_000;

interface KeptSchedule {
  /** `sleep` resolves after so many milliseconds, or at once when the signal aborts. */
  readonly clock: { now: () => Date; sleep: (ms: number, signal: AbortSignal) => Promise<void> };
  /** When the schedule is due after a moment; undefined if never again. Read again after each run. */
  readonly dueAfter: (moment: Date) => Promise<Date | undefined>;
  readonly run: (due: Date) => Promise<void>;
  /** Aborts to end the schedule. A running run ends first. */
  readonly stop: AbortSignal;
}

/** Runs whenever a schedule is due, one run at a time, until `stop` or until it is never due again. */
export async function keepSchedule({ clock, dueAfter, run, stop }: KeptSchedule): Promise<void> {
  const shown = (time: Date) => roundedTime(time.toISOString());
  let from = clock.now();
  while (!stop.aborted) {
    const due = await dueAfter(from);
    if (due === undefined) return note('the schedule has no further time, so no run begins any more');
    note(`the next run is due at ${shown(due)}`);
    while (!stop.aborted && clock.now() < due)
      await clock.sleep(Math.min(LOOK_MS, due.getTime() - clock.now().getTime()), stop);
    if (stop.aborted) return;
    await run(due);
    from = clock.now() > due ? clock.now() : due;
    const missed = await dueAfter(due);
    if (missed !== undefined && missed <= from)
      note(
        `the run that was due at ${shown(missed)} was left out, because the run before it lasted until ${shown(from)}`,
      );
  }
}

/** The config as its file is now; the previous one if the file has become wrong. */
export async function configNow(file: string, before: Config): Promise<Config> {
  return (await readConfig(file).catch(sayAndGoOn)) ?? before;
}

/** A run that fails does not end the schedule. A bug in this program ends it. */
function sayAndGoOn(error: unknown): void {
  if (!(error instanceof ExportError)) throw error;
  note(`${error.code}: ${error.message}`);
}
