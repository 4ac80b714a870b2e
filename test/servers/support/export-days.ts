import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkSources } from '#cli/check-sources.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { writeProposals } from '#cli/proposals.ts';
import { runLocally } from '#cli/run-locally.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { UsageError } from '#lib/errors.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { type CommittedTables, committedTables } from '../../support/committed-tables.ts';
import { temporaryFolder } from '../../support/lake-children.ts';
import { temporaryLake } from '../../support/temporary-lake.ts';
import { lostOf, wrongChanges } from './differences.ts';
import { fleet, TABLES } from './fleet.ts';
import { type StockServer, serve } from './stock-server.ts';

/** Settings of the source. Those of a resource are next to its path, by its name. */
export interface Settings {
  readonly resources?: Readonly<Record<string, object>>;
  readonly [setting: string]: unknown;
}

/**
 * What becomes of two days of a server with these settings: `whole` where every value and change of both is there;
 * `asked RESOURCE CODE` where a run says which listings it could not read; what is lost or wrong where it says that all is
 * well and it is not.
 */
export async function exportDays(server: StockServer, settings: Settings = {}): Promise<string> {
  await using place = await temporaryLake();
  const { lake } = place;
  await using tables = committedTables(lake);
  const { rows, flat } = tables;
  const days = fleet();
  try {
    const asked = new Set<string>();
    const found = new Set<string>();
    for (const [index, day] of days.entries()) {
      await using served = await serve(server, day);
      const date = `2026-11-2${index}`;
      const config = configOf(server, { url: served.url, settings });
      const secrets = { read: async () => ({ apiKey: 'a key that nobody asks for' }) };
      await using services = localApiServices(localServices(lake), secrets, () => 0);
      const { sources } = await runLocally({ scheduledTime: `${date}T03:00:00Z` }, { ...services, config });
      for (const each of await failures(flat)) asked.add(each);
      if (asked.size > 0) continue;
      const [source] = sources;
      if (source?.status !== 'complete') asked.add(`${source?.error?.code}`);
      const compared = { lake, rows, server, date, day };
      for (const each of await lostOf(compared)) found.add(each);
      if (index > 0) for (const each of await wrongChanges(compared, days[0])) found.add(each);
    }
    if (asked.size > 0) return `asked ${[...asked].sort().join(', ')}`;
    return found.size === 0 ? 'whole' : [...found].sort().join('; ');
  } catch (error) {
    if (error instanceof UsageError) return `refused ${error.code}`;
    throw error;
  }
}

/** Rounds of `check --write` after which an operator would give up. */
const ROUNDS = 3;

/** The settings that `check --write` puts into a config with nothing but the paths, called again until it is silent. */
export async function settingsWritten(server: StockServer): Promise<Settings> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'export.config.json');
  await using served = await serve(server, fleet()[0]);
  const lake = folderLake(join(folder.path, 'lake'));
  const secrets = { read: async () => ({ apiKey: 'a key that nobody asks for' }) };
  await writeFile(file, textOf(server, { url: served.url, settings: {} }));
  for (let round = 1; round <= ROUNDS; round++) {
    await using services = localApiServices(localServices(lake), secrets, () => 0);
    const written = { file, text: await readFile(file, 'utf8') };
    const { proposals } = await checkSources(written, services);
    if ((await writeProposals(written, proposals)).length === 0) break;
  }
  const [source] = parseConfig(await readFile(file, 'utf8'), file).sources;
  return { resources: source?.resources ?? {} };
}

async function failures(flat: CommittedTables['flat']): Promise<readonly string[]> {
  const failed =
    "select distinct resource || ' ' || error_code from outcomes where outcome in ('failed', 'denied')";
  return (await flat(failed)).map(String);
}

interface Served {
  readonly url: string;
  readonly settings: Settings;
}

function configOf(server: StockServer, served: Served) {
  return parseConfig(textOf(server, served), 'lab.config.json');
}

function textOf(server: StockServer, { url, settings }: Served): string {
  const resources = Object.fromEntries(
    TABLES.map((table) => [table, { path: server.paths[table], ...settings.resources?.[table] }]),
  );
  const source = {
    name: 'berlin',
    kind: 'signage',
    baseUrl: url,
    secret: 'lab/berlin',
    concurrency: 8,
    requestsPerSecond: null,
    ...settings,
    resources,
  };
  return JSON.stringify({ name: 'lab', sources: [source] });
}
