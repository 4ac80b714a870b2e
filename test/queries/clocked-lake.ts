import { join } from 'node:path';
import { runLocally } from '#cli/run-locally.ts';
import type { Config } from '#lib/config/config.ts';
import type { SecretStore } from '#lib/config/secrets.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { type FixtureAnswer, startFixtureServer } from '#simulator/fixture-server.ts';
import { type AskedListing, askedListing } from '../support/asked-listing.ts';
import { committedTables } from '../support/committed-tables.ts';
import { routesBy } from '../support/fixture-lab.ts';
import { labServices } from '../support/lab-services.ts';
import { temporaryFolder } from '../support/lake-children.ts';

export type ClockedLake = Awaited<ReturnType<typeof clockedLake>>;

export interface OtherRun {
  readonly now?: () => Date;
  /** Settings put over those of each source. */
  readonly settings?: object;
  /** Sources that leave the config. */
  readonly without?: readonly string[];
}

/** A lake in a temporary folder. Its runs happen when the test says, so that ages can be computed by hand. */
export async function clockedLake(config: Config, secrets: SecretStore) {
  const folder = await temporaryFolder();
  const lake = folderLake(join(folder.path, 'lake'));
  const tables = committedTables(lake);
  return {
    folder: folder.path,
    lake,
    /** One run at that time, whose clock stands still if it gets no other: everything was exported at that very moment. */
    run: async (
      runTime: string,
      sources?: string[],
      { now = () => new Date(runTime), settings, without = [] }: OtherRun = {},
    ) => {
      await using services = labServices({ lake, now }, secrets, () => 0);
      const head = await readHead(lake);
      const event = {
        scheduledTime: runTime,
        acceptSourceRemoval: without.filter((name) => head?.head.sources.includes(name)),
        ...(sources && { sources }),
      };
      const left = config.sources.filter(({ name }) => !without.includes(name));
      const changed = { ...config, sources: left.map((source) => ({ ...source, ...settings })) };
      return await runLocally(event, { ...services, config: changed });
    },
    ...{ rows: tables.rows, flat: tables.flat },
    /** The rows of a query as lists of cells, in the order of its columns. */
    cells: async (sql: string) => (await tables.query(sql)).rows,
    [Symbol.asyncDispose]: async () => {
      await tables[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Keys that no server of fixtures asks for. */
export const FIXTURE_SECRETS: SecretStore = {
  read: async (name) => (name === 'lab/vault' ? { accessToken: 'fixture-token' } : { apiKey: 'fixture-key' }),
};

/** Such a lake, filled from APIs that answer each listing of the config so. */
export async function servedLake(
  configAt: (url: string) => Config,
  answer: (asked: AskedListing) => FixtureAnswer | undefined,
): Promise<ClockedLake> {
  const answerAt = (path: string) => {
    const asked = path.includes('?') ? undefined : askedListing(config, path);
    return asked && answer(asked);
  };
  const server = await startFixtureServer({ routes: routesBy(answerAt) });
  const config = configAt(server.url);
  const lake = await clockedLake(config, FIXTURE_SECRETS);
  return {
    ...lake,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await lake[Symbol.asyncDispose]();
    },
  };
}
