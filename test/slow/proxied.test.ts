import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { RESOURCE_NAMES } from '#lib/sources/resources.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { startProxy } from '../support/proxy.ts';

interface Address {
  readonly baseUrl: string;
  readonly basePath?: string;
}

/** One run of two sources of each kind, by where they are; what each table shows of them. */
async function exported(
  simulators: readonly [Simulator, Simulator],
  at: { readonly signage: readonly Address[]; readonly backup: readonly Address[] },
) {
  const fast = { concurrency: 50, requestsPerSecond: null };
  const sources = [0, 1].flatMap((index) => [
    { ...fast, name: `signage-${index}`, kind: 'signage', secret: `signage-${index}`, ...at.signage[index] },
    {
      ...fast,
      name: `backup-${index}`,
      kind: 'backup',
      accountId: '1042',
      secret: `backup-${index}`,
      ...at.backup[index],
    },
  ]);
  const config = parseConfig(JSON.stringify({ name: 'lab', sources }), 'lab.config.json');
  const secrets = {
    read: async (name: string) => {
      const { secrets: own } = simulators[name.endsWith('0') ? 0 : 1];
      return name.startsWith('signage') ? own.signage : own.backup;
    },
  };
  await using place = await temporaryFolder();
  const folder = place.path;
  const lake = folderLake(join(folder, 'lake'));
  await using services = localApiServices(localServices(lake), secrets);
  const summary = await runLocally({ scheduledTime: '2026-11-20T03:00:00Z' }, { ...services, config });
  using tables = await openTables(lake);
  const shown = await Promise.all(
    RESOURCE_NAMES.map(async (name) => {
      const { rows } = await tables.query(
        `select * exclude (exported_at) from ${name} order by export_source, record_key`,
      );
      return [name, rows] as const;
    }),
  );
  return { summary, tables: Object.fromEntries(shown) };
}

describe('sources behind a proxy with a path', () => {
  // Their next links are of the server, which does not know the proxy's path.
  it.each(['odata', 'link-header'])('export what they do without it: %s', async (profile) => {
    const world = { players: 26, profile, pageSize: 10 };
    const simulators = [
      await startSimulator({ ...world, seed: 1 }),
      await startSimulator({ ...world, seed: 2 }),
    ] as const;
    const [one, two] = simulators;
    await using proxy = await startProxy({ '/one': one.url, '/customers/two': two.url });
    try {
      const direct = await exported(simulators, {
        signage: [{ baseUrl: one.url }, { baseUrl: two.url }],
        backup: [{ baseUrl: one.url }, { baseUrl: two.url }],
      });
      const api = '/gv2/webservices/API';
      const behind = await exported(simulators, {
        signage: [
          { baseUrl: proxy.url, basePath: `/one${api}` },
          { baseUrl: proxy.url, basePath: `/customers/two${api}` },
        ],
        backup: [
          { baseUrl: proxy.url, basePath: '/one' },
          { baseUrl: proxy.url, basePath: '/customers/two' },
        ],
      });
      expect(behind.summary.sources).toMatchObject(
        [0, 1].flatMap(() => [
          { status: 'complete', coverage: 1 },
          { status: 'complete', coverage: 1 },
        ]),
      );
      expect(direct.tables['backup_slots']?.length).toBeGreaterThan(10);
      expect(behind.tables).toEqual(direct.tables);
    } finally {
      await Promise.all(simulators.map((simulator) => simulator.close()));
    }
  });
});
