import type { Command } from 'commander';
import * as z from 'zod';
import { checkConfig } from './check-config.ts';
import { EXIT } from './exit.ts';
import { optionsOf } from './options.ts';
import { printCheck } from './print-check.ts';
import { fragmentsOf } from './proposals.ts';
import { say } from './say.ts';

/** `check`: calls every listing once, and says what it found and what is to be decided; `--write` writes its proposals. */
export function addCheck(command: Command): void {
  command.option('--write', 'write the proposed settings into the config').action(async () => {
    const options = optionsOf(command, { write: z.boolean().default(false) });
    const { check, changes } = await checkConfig(options);
    if (options.json) {
      const { proposals, ...found } = check;
      const settings = fragmentsOf(proposals);
      say(JSON.stringify({ ...found, settings, ...(changes && { written: changes }) }));
    } else printCheck(check, { ...options, configFile: options.config, changes });
    process.exitCode = check.listings.every(({ ok }) => ok) ? EXIT.complete : EXIT.failed;
  });
}
