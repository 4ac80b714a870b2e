import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkSources } from '#cli/check.ts';
import { localApiServices, localServices } from '#cli/local-services.ts';
import { folderLake } from '#lib/lake/folder-lake.ts';
import { startSimulator } from '#simulator/server.ts';
import { labConfig, labSecrets } from '../support/export-lab.ts';

it('check that breaks off has ended whatever writes into its lake, which is removed then', async () => {
  const simulator = await startSimulator({ players: 20, latencyMs: 150 });
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
  try {
    await using services = localApiServices(localServices(folderLake(folder)), labSecrets(simulator));
    const breaking: typeof services.client = (source, width) => {
      if (source.name === 'berlin') throw new Error('no client');
      return services.client(source, width);
    };
    await expect(checkSources(labConfig(simulator.url), { ...services, client: breaking })).rejects.toThrow(
      'no client',
    );
    const { requests } = simulator.stats;
    expect(requests).toBeGreaterThan(2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(simulator.stats.requests).toBe(requests);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await simulator.close();
  }
});
