import * as z from 'zod';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { readSchedule } from '#lib/config/schedule.ts';
import { UsageError } from '#lib/errors.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { storedRaw } from '#lib/run/raw-of-run.ts';
import { readRunRecordIfAny } from '#lib/run/run-record.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { runIdAt } from '#lib/run-id.ts';
import { DAY_MS, HOUR_MS, toTheSecond } from '#lib/time.ts';
import { EXIT } from './exit.ts';
import { onInterrupt } from './interrupts.ts';
import { openCheckedSecrets, openLake } from './local-services.ts';
import { commandOf, flag, many, text } from './options.ts';
import { printRun } from './print-run.ts';
import { exportHere } from './run-locally.ts';

const OPTIONS = {
  source: many('<name>', 'call only this source and keep the rows of the others (may be repeated)'),
  runTime: text('<time>', 'the scheduled time, such as 2026-11-21T03:00:00Z; the same time is the same run'),
  backdate: flag(
    'accept a --run-time that is longer ago than the longest time between two runs of the schedule',
  ),
  acceptShrink: many(
    '<source>',
    'believe the listings of this source that shrank by more than maxShrink (may be repeated)',
  ),
  acceptSourceRemoval: many(
    '<source>',
    'report the records of this source as removed: the config no longer has it (may be repeated)',
  ),
  deployed: flag('on AWS: start an execution of the deployed stack and watch it'),
};

export const addRun = commandOf(OPTIONS, async (options) => {
  const { source, acceptShrink, acceptSourceRemoval, deployed } = options;
  const config = await readConfig(options.config);
  const now = new Date();
  const runTime = options.runTime === undefined ? undefined : parseRunTime(options.runTime, now);
  // Nobody can know here what the deployed stack has begun.
  const own = deployed ? undefined : await openLake(options.lake);
  if (runTime !== undefined && !options.backdate) await refuseBackdated(runTime, { config, lake: own, now });
  const asked = { acceptShrink, acceptSourceRemoval, ...(source.length > 0 && { sources: source }) };
  let summary: RunSummary;
  if (own === undefined) {
    const { runDeployed } = await import('./deployed.ts');
    summary = await runDeployed(config, {
      ...asked,
      ...(runTime && { scheduledTime: runTime.toISOString() }),
    });
  } else {
    const called = config.sources.filter(({ name }) => source.length === 0 || source.includes(name));
    const secrets = await openCheckedSecrets(options.secrets, config, called);
    // The run's time, which continues it after an interruption.
    const at = runTime ?? now;
    using _ = onInterrupt(at);
    const event = { ...asked, scheduledTime: at.toISOString(), isByOwnClock: runTime === undefined };
    summary = await exportHere(event, { config, lake: own, secrets });
  }
  const lake = deployed ? `the lake of ${config.name}` : options.lake;
  printRun(summary, { ...options, lake, configured: config });
  process.exitCode = EXIT[summary.status];
});

/** The moment that `--run-time` names. Throws UsageError if it is not a moment, has no zone, or is over a day ahead. */
export function parseRunTime(text: string, now: Date): Date {
  const says = `--run-time ${JSON.stringify(text)}`;
  if (!z.iso.datetime({ offset: true }).safeParse(text).success)
    throw new UsageError(
      `${says} is not a time with a time zone: write one such as 2026-11-21T03:00:00Z or 2026-11-21T04:00:00+01:00.`,
    );
  const time = new Date(text);
  // Clocks differ, and a schedule may start a little early. A run further ahead would cover all runs until its time.
  if (time.getTime() - now.getTime() > DAY_MS)
    throw new UsageError(
      `${says} is more than a day ahead of this machine's clock (${toTheSecond(now)}), so every other run would be refused until then. Write a time that is not in the future.`,
    );
  return time;
}

/** Throws RUN_BACKDATED for a time before the longest gap: answers of now would count as old. A begun run goes on. */
export async function refuseBackdated(
  time: Date,
  { config, lake, now }: { readonly config: Config; readonly lake: Lake | undefined; readonly now: Date },
): Promise<void> {
  const hours = readSchedule(config, now).longestGapHours;
  if (now.getTime() - time.getTime() <= hours * HOUR_MS) return;
  const id = runIdAt(time);
  if (lake !== undefined && (await readRunRecordIfAny(lake, id)) !== undefined) return;
  if (lake !== undefined && (await storedRaw(lake, { runId: id })).length > 0) return;
  const says = `--run-time ${toTheSecond(time)} is more than ${hours} hours ago, which is the longest time between two runs of the schedule. No run of that time has begun, so today's answers would count as old ones. Leave --run-time out. If you mean it, add --backdate.`;
  throw new UsageError(says, 'RUN_BACKDATED');
}
