import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { EXIT } from './exit.ts';
import { onInterrupt } from './interrupts.ts';
import { openCheckedSecrets, openLake } from './local-services.ts';
import { commandOf, flag, many, type OptionsOf, text } from './options.ts';
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
  const config = await readConfig(options.config);
  const runTime = options.runTime === undefined ? undefined : parseRunTime(options.runTime, new Date());
  const summary = await (options.deployed ? runThere : runHere)(options, config, runTime);
  const lake = options.deployed ? `the lake of ${config.name}` : options.lake;
  printRun(summary, { ...options, lake, configured: config });
  process.exitCode = EXIT[summary.status];
});

type Options = OptionsOf<typeof OPTIONS>;

function eventOf({ source, acceptShrink, acceptSourceRemoval }: Options, time: Date | undefined) {
  return {
    acceptShrink: [...acceptShrink],
    acceptSourceRemoval: [...acceptSourceRemoval],
    ...(source.length > 0 && { sources: [...source] }),
    ...(time && { scheduledTime: time.toISOString() }),
  };
}

async function runThere(options: Options, config: Config, runTime: Date | undefined) {
  if (runTime !== undefined && !options.backdate)
    await refuseBackdated(runTime, { config, lake: undefined, now: new Date() });
  const { runDeployed } = await import('./deployed.ts');
  return await runDeployed(config, eventOf(options, runTime));
}

async function runHere(options: Options, config: Config, runTime: Date | undefined) {
  const called = config.sources.filter(
    ({ name }) => options.source.length === 0 || options.source.includes(name),
  );
  const secrets = await openCheckedSecrets(options.secrets, config, called);
  const lake = await openLake(options.lake);
  if (runTime !== undefined && !options.backdate)
    await refuseBackdated(runTime, { config, lake, now: new Date() });
  // The run's time, which continues it after an interruption.
  const at = runTime ?? new Date();
  using _ = onInterrupt(at, process.argv.slice(2));
  const event = { ...eventOf(options, at), isByOwnClock: runTime === undefined };
  return await exportHere(event, { config, lake, secrets });
}
