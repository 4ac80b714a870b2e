import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { readConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { checkSources } from './check-sources.ts';
import { EXIT } from './exit.ts';
import { localApiServices } from './local-api-services.ts';
import { localServices, openSecrets } from './local-services.ts';
import { optionsOf } from './options.ts';
import { printCheck } from './print-check.ts';
import { fragmentsOf } from './proposals.ts';
import { say } from './say.ts';
import { writeProposals } from './write-proposals.ts';

/** `check`: calls every listing once, and says what it found and what is to be decided; `--write` writes its proposals. */
export function addCheck(command: Command): void {
  command.option('--write', 'write the proposed settings into the config').action(async () => {
    const options = optionsOf(command, { write: z.boolean().default(false) });
    await readConfig(options.config);
    const written = { file: options.config, text: await readFile(options.config, 'utf8') };
    const secrets = await openSecrets(options.secrets);
    const folder = await mkdtemp(join(tmpdir(), 'signage-export-check-'));
    try {
      await using services = localApiServices(localServices(folderLake(folder)), secrets);
      const check = await checkSources(written, services);
      const changes = options.write ? await writeProposals(written, check.proposals) : [];
      if (options.json) {
        const { proposals, ...found } = check;
        const settings = fragmentsOf(proposals);
        const said = { ...found, settings, ...(options.write && { written: changes }) };
        say(JSON.stringify(said));
      } else printCheck(check, { configFile: options.config, changes: options.write ? changes : null });
      process.exitCode = check.listings.every(({ ok }) => ok) ? EXIT.complete : EXIT.failed;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
