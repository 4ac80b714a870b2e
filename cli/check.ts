import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { checkSources } from './check-sources.ts';
import { EXIT } from './exit.ts';
import { localApiServices, localServices, openSecrets } from './local-services.ts';
import { optionsOf } from './options.ts';
import { printCheck } from './print-check.ts';

/** `check`: every listing once, what was found, and what is still to be decided. Writes nothing. */
export function addCheck(program: Command): void {
  program
    .command('check')
    .description('call every listing once and say what was found; writes nothing')
    .action(async (_options: unknown, command: Command) => {
      const options = optionsOf(command, {});
      const config = await readConfig(options.config);
      const secrets = await openSecrets(options.secrets);
      const folder = await mkdtemp(join(tmpdir(), 'signage-export-check-'));
      try {
        await using services = localApiServices(localServices(folderLake(folder)), secrets);
        const check = await checkSources(config, services);
        if (options.json) process.stdout.write(`${JSON.stringify(check)}\n`);
        else printCheck(check, options.config);
        process.exitCode = check.listings.every(({ ok }) => ok) ? EXIT.complete : EXIT.failed;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
}
