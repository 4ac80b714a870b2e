import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkSources } from '#cli/check-sources.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { writeProposals } from '#cli/proposals.ts';
import { runLocally } from '#cli/run-locally.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { tableKeys } from '#lib/lake/named-files.ts';
import type { StartEvent } from '#lib/run/payloads.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';
import { readParquet } from '#lib/sql.ts';
import { startFixtureServer } from '#simulator/fixture-server.ts';
import { type Routes, routesBy } from '../support/fixture-lab.ts';
import { MEMORY, temporaryFolder } from '../support/lake-children.ts';

/** One lake, and the server that all lakes share. */
export type ShapeLab = Awaited<ReturnType<Awaited<ReturnType<typeof shapeLab>>['newLake']>>;

/** One server and one DuckDB for many small lakes, each of which is removed when it is done. */
export async function shapeLab() {
  const folder = await temporaryFolder(MEMORY);
  const duckDb = sharedDuckDb({ ...localServices(folderLake(folder.path)), threads: 1 });
  let routes: Routes = {};
  const secrets = { read: async () => ({ apiKey: 'shape-key-4711' }) };
  /** No wait before a retry. */
  const servicesOf = (lake: Lake) =>
    localApiServices({ ...localServices(lake), threads: 1 }, secrets, () => 0);
  const server = await startFixtureServer({
    // A path with a query comes first, and leaves the listing to the path alone.
    routes: routesBy((path) => routes[path] ?? (path.includes('?') ? undefined : { body: '[]' })),
  });
  let lakes = 0;
  return {
    newLake: async () => {
      const own = join(folder.path, `lake-${lakes++}`);
      const lake = folderLake(own);
      return {
        url: server.url,
        /** One run against these routes; any other listing is empty. */
        run: async (event: StartEvent, current: Routes, resources: object) => {
          routes = current;
          const config = parseConfig(configText(server.url, resources), 'shapes.config.json');
          await using services = servicesOf(lake);
          return await runLocally(event, { ...services, duckDb, config });
        },
        /** The settings that `check --write` adds to these. */
        check: async (current: Routes, resources: object): Promise<object> => {
          routes = current;
          const file = `${own}.config.json`;
          const text = configText(server.url, resources);
          await writeFile(file, text);
          await using services = servicesOf(lake);
          const { proposals } = await checkSources({ file, text }, { ...services, duckDb });
          await writeProposals({ file, text }, proposals);
          return parseConfig(await readFile(file, 'utf8'), file).sources[0]?.resources ?? {};
        },
        rows: async () => {
          using db = await duckDb.connect();
          return [
            ...(await texts(db, lake, { table: 'players', between: ' ' })),
            ...(await texts(db, lake, { table: 'screens', between: '/' })),
          ];
        },
        [Symbol.asyncDispose]: () => rm(own, { recursive: true, force: true }),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await duckDb[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The newest rows of a table as texts; none where it has no file yet. */
async function texts(
  db: DuckDb,
  lake: Lake,
  { table, between }: { readonly table: string; readonly between: string },
): Promise<readonly string[]> {
  const files = (await readHead(lake))?.head.tables[table]?.newest;
  const paths = files === undefined ? [] : await lake.localPaths(tableKeys(table, files));
  if (paths.length === 0) return [];
  const from = readParquet(paths);
  const columns = (await db.rows(`describe select * from ${from}`)).map(({ column_name }) => column_name);
  const label = columns.includes('label') ? 'label' : "''";
  const rows = await db.rows(`select player_id || '${between}' || ${label} as text from ${from}`);
  return rows.map(({ text }) => String(text));
}

function configText(baseUrl: string, resources: object): string {
  const source = { name: 'berlin', kind: 'signage', baseUrl, secret: 'shapes/berlin', resources };
  const sources = [{ ...source, concurrency: 50, requestsPerSecond: null }];
  return JSON.stringify({
    name: 'shapes',
    schedule: 'cron(0 3 * * ? *)',
    timeZone: 'Europe/Berlin',
    sources,
  });
}
