import type { Command } from 'commander';
import { checkConfig, settle } from './check-config.ts';
import { statusOf } from './check-sources.ts';
import { EXIT } from './exit.ts';
import { commandOf, flag } from './options.ts';
import { printListings, printSettled } from './print-check.ts';
import { fragmentsOf } from './proposals.ts';
import { say } from './say.ts';

/** `check`: calls every listing a few times, says what it found and what to decide; `--write` writes proposals. */
export function addCheck(command: Command): void {
  commandOf(command, OPTIONS, async (options) => {
    const checked = await checkConfig(options);
    const { listings, settled, ...found } = checked.check;
    const shown = options.write ? settled : listings;
    if (!options.json) printListings({ ...checked, listings: shown }, options);
    const { changes, open } = await settle(checked, options);
    const settings = fragmentsOf(found.proposals);
    const written = options.write ? { written: changes } : {};
    if (options.json) say({ listings: shown, ...found, ofLake: checked.ofLake, settings, ...written });
    else printSettled(checked, { ...options, changes, open });
    process.exitCode = EXIT[statusOf(shown)];
  });
}

const OPTIONS = {
  write: flag('--write', 'write the proposed settings into the config'),
  roles: flag('--roles', 'also say which fields may fill the columns that views ask for'),
};
