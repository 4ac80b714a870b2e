import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { openTables, type Tables } from '#lib/views/open-tables.ts';
import { startSimulator } from '#simulator/server.ts';

/** Runs a step with the tables and views of an export of the simulator's reference profile. */
export async function withReferenceTables<Result>(
  step: (tables: Tables) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-docs-'));
  try {
    const lake = folderLake(join(folder, 'lake'));
    await exportReference(lake);
    using tables = await openTables(lake);
    return await step(tables);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function exportReference(lake: ReturnType<typeof folderLake>): Promise<void> {
  await using simulator = await disposable();
  const source = { baseUrl: simulator.url, requestsPerSecond: null, concurrency: 50 };
  const config = parseConfig(
    JSON.stringify({
      name: 'docs',
      schedule: 'cron(0 3 * * ? *)',
      timeZone: 'UTC',
      sources: [
        { name: 'signage', kind: 'signage', secret: 'signage', ...source },
        { name: 'backup', kind: 'backup', secret: 'backup', accountId: '1042', ...source },
      ],
    }),
    'docs',
  );
  const secrets = {
    read: async (name: string) => (name === 'backup' ? simulator.secrets.backup : simulator.secrets.signage),
  };
  await using services = localApiServices(localServices(lake), secrets);
  await runLocally({ scheduledTime: '2026-11-20T03:00:00Z' }, { ...services, config });
}

async function disposable() {
  const simulator = await startSimulator({ players: 120, startDate: '2026-11-20' });
  return { ...simulator, [Symbol.asyncDispose]: () => simulator.close() };
}
