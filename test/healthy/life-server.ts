import { join } from 'node:path';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { StartEvent } from '#lib/run/payloads.ts';
import type { RunSummary } from '#lib/run/summary.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';
import { close, listen } from '#simulator/server/listen.ts';
import { MEMORY, temporaryFolder } from '../support/lake-children.ts';
import { SOURCE_OF } from './expected.ts';
import type { Said } from './forms/form.ts';
import type { Life } from './life.ts';
import { momentOf } from './records.ts';
import type { Kind } from './truth.ts';

/** One server and one DuckDB for many lives, one after the other, each into lakes of its own. */
export interface LifeServer extends AsyncDisposable {
  readonly origin: string;
  /** A folder for a lake that no other life has. */
  newLake(): string;
  /** What is answered to a path with query from now on; undefined where the API has no such path. */
  serve(answer: (url: string) => Said | undefined): void;
  /** A run at the hour of a day, by a clock that begins then. */
  run(lake: string, day: number, config: object, event?: StartEvent): Promise<RunSummary>;
}

const SECRETS = {
  read: async (name: string) =>
    name === 'lab/vault' ? { accessToken: 'token of a healthy life' } : { apiKey: 'key of a healthy life' },
};
const NO_KEY: Said = { status: 401, body: { Message: 'Authorization has been denied.' } };
const NOT_FOUND: Said = { status: 404, body: { Message: 'No HTTP resource was found.' } };

export async function lifeServer(): Promise<LifeServer> {
  const folder = await temporaryFolder(MEMORY);
  const duckDb = sharedDuckDb(localServices(folderLake(folder.path)));
  let answer: (url: string) => Said | undefined = () => undefined;
  const { server, url: origin } = await listen(0, ({ url = '/', headers }, response) => {
    const hasKey = 'x-apikey' in headers || 'authorization' in headers;
    const said = hasKey ? (answer(url) ?? NOT_FOUND) : NO_KEY;
    const type = { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(said.status ?? 200, { ...type, ...said.headers }).end(JSON.stringify(said.body));
  });
  let lakes = 0;
  return {
    origin,
    newLake: () => join(folder.path, `lake-${lakes++}`),
    serve: (next) => {
      answer = next;
    },
    run: async (lake, day, settings, event) => {
      const config = parseConfig(JSON.stringify(settings), 'life.config.json');
      const began = performance.now();
      const now = () => new Date(momentOf(day) + performance.now() - began);
      const services = { ...localServices(folderLake(lake)), now };
      await using api = localApiServices(services, SECRETS, () => 0);
      const scheduledTime = new Date(momentOf(day)).toISOString();
      return await runLocally({ scheduledTime, ...event }, { ...api, duckDb, config });
    },
    [Symbol.asyncDispose]: async () => {
      await close(server);
      await duckDb[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** What an operator writes on the first day; the limits of calls alone are those of a test. */
export function configOf(life: Life, baseUrl: string, nameOf = (kind: Kind) => SOURCE_OF[kind]) {
  return {
    name: 'life',
    sources: life.sources.map(({ kind }) => ({
      ...{ name: nameOf(kind), kind, secret: `lab/${SOURCE_OF[kind]}`, baseUrl },
      ...{ concurrency: 50, requestsPerSecond: null },
      ...(kind === 'backup' && { accountId: '1042' }),
    })),
  };
}
