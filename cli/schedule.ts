import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { nextDue, readSchedule } from '#lib/config/schedule.ts';
import { INTERRUPTED } from './interrupts.ts';
import { configNow, keepSchedule, sayAndGoOn } from './keep-schedule.ts';
import { openCheckedSecrets, openLake, openSecrets } from './local-services.ts';
import { commandOf, type GlobalOptions } from './options.ts';
import { printRun } from './print-run.ts';
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
      config = await configNow(options, config);
      return nextDue(config, moment);
    },
    run: async (due) => {
      signals.running = true;
      await runOnce(due, config, options).catch(sayAndGoOn);
      signals.running = false;
    },
    stop: signals.stop,
    say: note,
  });
  if (signals.ended() === 'SIGINT') process.exitCode = INTERRUPTED;
});

async function runOnce(due: Date, config: Config, options: GlobalOptions): Promise<void> {
  const summary = await exportHere(
    { scheduledTime: due.toISOString(), isByOwnClock: true },
    { config, lake: await openLake(options.lake), secrets: await openSecrets(options.secrets) },
  );
  printRun(summary, { ...options, configured: config });
}

/**
 * SIGINT and SIGTERM end the schedule: at once while it waits, or after the present run. A second one ends
 * that run too. It continues, and loses nothing, if the schedule starts again before the next run is due.
 */
function stopsBySignal() {
  const controller = new AbortController();
  let ended: NodeJS.Signals | undefined;
  const signals = {
    stop: controller.signal,
    running: false,
    ended: () => ended,
    [Symbol.dispose]: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
  function onSignal(signal: NodeJS.Signals) {
    if (ended !== undefined) process.exit(signal === 'SIGINT' ? INTERRUPTED : 0);
    ended = signal;
    if (signals.running) note(`${signal}: this run is the last one; a second ${signal} ends it too`);
    controller.abort();
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return signals;
}
