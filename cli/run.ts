import type { Command } from 'commander';
import { readConfig } from '#lib/config/parse-config.ts';
import type { Source } from '#lib/sources/source.ts';
import { EXIT } from './exit.ts';
import { onInterrupt } from './interrupts.ts';
import { leavingDatabase } from './leaving-database.ts';
import { localApiServices } from './local-api-services.ts';
import { localServices, openCheckedSecrets, openLake } from './local-services.ts';
import { commandOf, flag, many, text } from './options.ts';
import { printRun } from './print-run.ts';
import { showProgress } from './progress.ts';
import { runLocally } from './run-locally.ts';
import { parseRunTime, refuseBackdated } from './run-time.ts';

/** `run`: one export. */
export function addRun(command: Command): void {
  commandOf(command, OPTIONS, async (options) => {
    const config = await readConfig(options.config);
    const runTime = options.runTime === undefined ? undefined : parseRunTime(options.runTime, new Date());
    const isChecked = runTime !== undefined && !options.backdate;
    const event = {
      acceptShrink: [...options.acceptShrink],
      acceptSourceRemoval: [...options.acceptSourceRemoval],
      ...(options.source.length > 0 && { sources: [...options.source] }),
      ...(runTime && { scheduledTime: runTime.toISOString() }),
    };
    if (options.deployed) {
      if (isChecked) await refuseBackdated(runTime, { config, lake: undefined, now: new Date() });
      const { runDeployed } = await import('./deployed.ts');
      const summary = await runDeployed(config, event);
      printRun(summary, { ...options, lake: `the lake of ${config.name}`, configured: config });
      process.exitCode = EXIT[summary.status];
      return;
    }
    const isCalled = ({ name }: Source) => options.source.length === 0 || options.source.includes(name);
    const secrets = await openCheckedSecrets(options.secrets, config, config.sources.filter(isCalled));
    const lake = await openLake(options.lake);
    if (isChecked) await refuseBackdated(runTime, { config, lake, now: new Date() });
    // The run's time, which continues it after an interruption.
    const at = runTime ?? new Date();
    using _ = onInterrupt(at, process.argv.slice(2));
    using progress = showProgress();
    await using services = localApiServices(localServices(lake, progress.on), secrets);
    const summary = await runLocally(
      { ...event, scheduledTime: at.toISOString(), isByOwnClock: runTime === undefined },
      { ...leavingDatabase(services), config },
    );
    progress.end();
    printRun(summary, { ...options, configured: config });
    process.exitCode = EXIT[summary.status];
  });
}

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
