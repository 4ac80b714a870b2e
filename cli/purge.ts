import type { Command } from 'commander';
import { z } from 'zod';
import { readConfig } from '#lib/config/parse-config.ts';
import { purge } from '#lib/repair/purge.ts';
import { localServices, openLake } from './local-services.ts';
import { optionsOf } from './options.ts';
import { LOCAL_HOLDER } from './run-locally.ts';

/** `purge`: a source leaves the lake for good. */
export function addPurge(program: Command): void {
  program
    .command('purge')
    .requiredOption('--source <name>', 'the source whose rows and raw answers are to go')
    .description('remove every row and raw answer of a source, on all dates, for good')
    .option('--deployed', 'in the deployed stack, by rights of its own')
    .action(async (_options: unknown, command: Command) => {
      const options = optionsOf(command, { source: z.string(), deployed: z.boolean().default(false) });
      const config = await readConfig(options.config);
      if (options.deployed) {
        const { operateDeployed } = await import('./operate-deployed.ts');
        await operateDeployed(config, { command: 'purge', source: options.source });
      } else {
        const services = localServices(openLake(options.lake));
        await purge(options.source, { ...services, ...LOCAL_HOLDER, config });
      }
      const isConfigured = config.sources.some(({ name }) => name === options.source);
      const next = isConfigured
        ? ' The next run exports it again: take it out of the config if it shall not.'
        : '';
      process.stdout.write(
        options.json
          ? `${JSON.stringify({ source: options.source, isConfigured })}\n`
          : `No table and no raw answer has anything of ${options.source} any more; the replaced files go a day from now.${next}\n`,
      );
    });
}
