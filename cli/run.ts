import { readConfig } from '#lib/config/parse-config.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { EXIT } from './exit.ts';
import { onInterrupt } from './interrupts.ts';
import { openCheckedSecrets, openLake } from './local-services.ts';
import { commandOf, flag, many, text } from './options.ts';
import { printRun } from './print-run.ts';
import { exportHere } from './run-locally.ts';
import { parseRunTime, refuseBackdated } from './run-time.ts';

const OPTIONS = {
  source: many('--source <name>', 'call only this source and keep the rows of the others (may be repeated)'),
  runTime: text(
    '--run-time <time>',
    'the scheduled time, such as 2026-11-21T03:00:00Z; the same time is the same run',
  ),
  backdate: flag(
    '--backdate',
    'accept a --run-time that is longer ago than the longest time between two runs of the schedule',
  ),
  acceptShrink: many(
    '--accept-shrink <source>',
    'believe the listings of this source that shrank by more than maxShrink (may be repeated)',
  ),
  acceptSourceRemoval: many(
    '--accept-source-removal <source>',
    'report the records of this source as removed: the config no longer has it (may be repeated)',
  ),
  deployed: flag('--deployed', 'on AWS: start an execution of the deployed stack and watch it'),
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
