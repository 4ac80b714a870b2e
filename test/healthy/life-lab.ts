import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '#cli/exit.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';
import { close, listen } from '#simulator/server/listen.ts';
import { type ExpectedDay, expectedOf, SOURCE_OF } from './expected.ts';
import { type FleetDay, fleetDays } from './fleet.ts';
import type { Said } from './forms/form.ts';
import { DAYS, type Life } from './life.ts';
import { type Alarm, judgeRun, judgeTables, type Printed } from './oracle.ts';
import { committedIn } from './read-tables.ts';
import { momentOf } from './records.ts';
import { type Served, serveDay } from './serve-life.ts';

export interface Living {
  /** @default 10 */
  readonly days?: number;
  /** What a server does to an answer before it sends it: for the proof that the oracle can fail. */
  readonly tamper?: (said: Said, at: { readonly day: number; readonly url: string }) => Said;
  /** Changes what the oracle expects, which proves in another way that the oracle can fail. */
  readonly believe?: (expected: ExpectedDay) => ExpectedDay;
}

/** How a life went: no alarm is a calm one. */
export interface Lived {
  readonly alarms: readonly Alarm[];
}

export interface LifeLab extends AsyncDisposable {
  live(life: Life, living?: Living): Promise<Lived>;
}

/** A folder in memory where there is one: a lake waits for the disk after each file. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const SECRETS = {
  read: async (name: string) =>
    name === 'lab/vault' ? { accessToken: 'token of a healthy life' } : { apiKey: 'key of a healthy life' },
};

/** One server and one DuckDB for many lives, one after the other, each into a lake of its own. */
export async function lifeLab(): Promise<LifeLab> {
  const folder = await mkdtemp(join(FOLDER, 'signage-export-healthy-'));
  const duckDb = sharedDuckDb(localServices(folderLake(folder)));
  let served: Served | undefined;
  let change: (said: Said, url: string) => Said = (said) => said;
  const { server, url: origin } = await listen(0, (request, response) => {
    const url = request.url ?? '/';
    const hasKey = 'x-apikey' in request.headers || 'authorization' in request.headers;
    const said = hasKey
      ? served?.answer(url)
      : { status: 401, body: { Message: 'Authorization has been denied.' } };
    const { status = 200, headers, body } = said === undefined ? NOT_FOUND : change(said, url);
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  });
  let lakes = 0;
  return {
    live: async (life, { days = DAYS, tamper, believe } = {}) => {
      const own = join(folder, `lake-${lakes++}`);
      const lake = folderLake(own);
      const config = parseConfig(JSON.stringify(configOf(life, origin)), 'healthy.config.json');
      const alarms: Alarm[] = [];
      const shown = new Map<number, ExpectedDay>();
      const fleets = fleetDays(life);
      for (let day = 0; day < days; day++) {
        const fleet: FleetDay | undefined = fleets.next().value ?? undefined;
        if (fleet === undefined) break;
        served = serveDay({ life, day, fleet, origin });
        change = (said, url) => tamper?.(said, { day, url }) ?? said;
        const began = performance.now();
        const now = () => new Date(momentOf(day) + performance.now() - began);
        try {
          await using services = localApiServices({ ...localServices(lake), now }, SECRETS, () => 0);
          const scheduledTime = new Date(momentOf(day)).toISOString();
          const summary = await runLocally({ scheduledTime }, { ...services, duckDb, config });
          const printed: Printed = JSON.parse(JSON.stringify(summary));
          const outcomes = await (await committedIn(own)).newest('outcomes');
          alarms.push(...judgeRun({ day, exitCode: EXIT[summary.status], printed, outcomes }));
        } catch (error) {
          alarms.push({
            day,
            kind: 'crash',
            says: error instanceof Error ? (error.stack ?? '') : String(error),
          });
        }
        // What a run says that it does not know is not a wrong table.
        if (alarms.some((alarm) => alarm.day === day)) continue;
        const expected = believe?.(expectedOf(life, fleet)) ?? expectedOf(life, fleet);
        const wrong = await judgeTables({ day, committed: await committedIn(own), expected });
        if (wrong.length === 0) shown.set(day, expected);
        alarms.push(...wrong);
      }
      for (const [day, expected] of shown) {
        const date = new Date(momentOf(day)).toISOString().slice(0, 10);
        alarms.push(...(await judgeTables({ day, committed: await committedIn(own), expected, date })));
      }
      await rm(own, { recursive: true, force: true });
      return { alarms };
    },
    [Symbol.asyncDispose]: async () => {
      await close(server);
      await duckDb[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const NOT_FOUND: Said = { status: 404, body: { Message: 'No HTTP resource was found.' } };

/** What an operator writes on the first day; the limits of calls alone are those of a test. */
function configOf(life: Life, baseUrl: string): object {
  const fast = { baseUrl, concurrency: 50, requestsPerSecond: null };
  return {
    name: 'healthy',
    sources: life.sources.map(({ kind }) => ({
      name: SOURCE_OF[kind],
      kind,
      secret: `lab/${SOURCE_OF[kind]}`,
      ...(kind === 'backup' && { accountId: '1042' }),
      ...fast,
    })),
  };
}
