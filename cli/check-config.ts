import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { type Check, checkSources } from './check-sources.ts';
import { localApiServices } from './local-api-services.ts';
import { localServices, openCheckedSecrets } from './local-services.ts';
import type { GlobalOptions } from './options.ts';
import type { Change } from './proposals.ts';
import { writeProposals } from './write-proposals.ts';

export interface CheckedConfig {
  readonly check: Check;
  /** What was written into the config; null where nothing should be. */
  readonly changes: readonly Change[] | null;
}

/** Calls every listing of the config, and with `write` writes what it proposes into it. Throws UsageError where a secret is missing. */
export async function checkConfig(
  options: Pick<GlobalOptions, 'config' | 'secrets'> & { readonly write: boolean },
): Promise<CheckedConfig> {
  const config = await readConfig(options.config);
  const written = { file: options.config, text: await readFile(options.config, 'utf8') };
  const secrets = await openCheckedSecrets(options.secrets, config);
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-check-'));
  try {
    await using services = localApiServices(localServices(folderLake(folder)), secrets);
    const check = await checkSources(written, services);
    return { check, changes: options.write ? await writeProposals(written, check.proposals) : null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
