import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { runLocally } from '#cli/run-locally.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { dice } from '#simulator/dice.ts';
import { API_KEY, serve } from '../api/support/serve.ts';
import { everythingIn } from '../support/everything-in.ts';
import { labConfig } from '../support/export-lab.ts';
import { hostileAnswer, sendHostile } from '../support/hostile-answers.ts';
import { decodings } from '../support/secret-spellings.ts';

/** `npm run fuzz` gives 20,000; FUZZ_SEED draws others. */
const ANSWERS = Number(process.env['FUZZ_ANSWERS'] ?? 100);
const SEED = Number(process.env['FUZZ_SEED'] ?? 17);
const MINUTES = 60_000;
/** What one answer may take. */
const CPU_SECONDS = 5;
const HELD_MIB = 64;

/** Frees what is garbage: what is counted afterwards is held. */
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function held(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Above the baseline, garbage aside; what is below half of the bound with its garbage is not collected for it. */
function heldMiBAbove(baseline: number): number {
  if (held() - baseline > (HELD_MIB / 2) * 2 ** 20) collectGarbage();
  return (held() - baseline) / 2 ** 20;
}

/** Looks every 20 ms at what is held, until it is disposed of; `most` is the most of it. */
function watchHeld(baseline: number): Disposable & { readonly most: () => number } {
  let most = 0;
  const look = (): void => {
    most = Math.max(most, heldMiBAbove(baseline));
  };
  const timer = setInterval(look, 20);
  return {
    most: () => {
      look();
      return most;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Whether the key can be read from what is stored or printed. */
function showsKey(stored: string): boolean {
  return decodings(stored).some((text) => text.includes(API_KEY));
}

/** Answers of one seed: the same question gets another one each time, so that pages end. */
function hostileServer(seed: number, onAnswer: () => void = () => {}): RequestListener {
  let asked = 0;
  return (request, response) => {
    asked += 1;
    onAnswer();
    const answer = hostileAnswer(dice(seed * 1009 + asked), API_KEY);
    request.on('error', () => {});
    response.on('error', () => {});
    sendHostile(response, answer).catch(() => response.destroy());
  };
}

const PLAYERS = Array.from({ length: 24 }, (_, index) => ({ Id: index + 1, Name: `player ${index + 1}` }));
/** Of so many runs, the files of one are searched for the key. */
const SEARCHED = 8;
/** A run asks the hostile source for two listings of each player, and three more. */
const OF_A_RUN = PLAYERS.length * 2 + 3;

function healthyBody(path: string): string {
  if (path.endsWith('/Players')) return JSON.stringify(PLAYERS);
  const [, id] = /\/Players\/(\d+)\/Screens$/.exec(path) ?? [];
  return JSON.stringify(id === undefined ? [] : [{ Id: Number(id) * 10, State: 'on' }]);
}

/** What is said on stderr from now on, logs and warnings among it. */
function heard(): readonly string[] {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  return said;
}

test(`a healthy source is whole beside ${ANSWERS} answers of a hostile one, from seed ${SEED}`, {
  timeout: 120 * MINUTES,
}, async () => {
  let answers = 0;
  let baseline = held();
  for (let index = 0; answers < ANSWERS; index++) {
    const seed = SEED * 7919 + index;
    // The first run has everything loaded that is loaded once.
    if (index === 1) {
      collectGarbage();
      baseline = held();
    }
    const hostile = hostileServer(seed, () => {
      answers += 1;
    });
    await using server = await serve((request, response) => {
      // Also where the next page is requested, to see if there is one.
      const [path = ''] = (request.url ?? '').split('?');
      // In two of three runs the players are listed: their children are requested.
      const isHealthy = path.startsWith('/healthy') || (index % 3 !== 0 && path.endsWith('/Players'));
      if (!isHealthy) return hostile(request, response);
      response.writeHead(200, { 'content-type': 'application/json' }).end(healthyBody(path));
    });
    const source = { kind: 'signage', baseUrl: server.url, secret: 'lab/key' };
    const fast = { ...source, concurrency: 16, requestsPerSecond: null };
    const healthy = { name: 'healthy', ...fast, basePath: '/healthy/gv2/webservices/API' };
    const config = labConfig(server.url, { config: { sources: [{ name: 'hostile', ...fast }, healthy] } });
    const folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
    try {
      const lake = folderLake(join(folder, 'lake'));
      const secrets = { read: async () => ({ apiKey: API_KEY }), readKey: async () => API_KEY };
      await using services = localApiServices(localServices(lake), secrets, () => 0);
      const said = heard();
      const about = `seed ${seed}`;
      using memory = watchHeld(baseline);
      const begun = process.cpuUsage();
      const event = { scheduledTime: '2026-11-20T03:00:00Z' };
      const run = runLocally(event, { ...services, config });
      const summary = await run.catch((error: unknown) => error as Error);
      const cpu = process.cpuUsage(begun);
      const seconds = (cpu.user + cpu.system) / 1e6;
      expect.soft(seconds, `${about}: seconds of CPU of a run`).toBeLessThan(CPU_SECONDS);
      if (index > 0) expect.soft(memory.most(), `${about}: MiB held in a run`).toBeLessThan(HELD_MIB);
      if (summary instanceof Error) {
        expect.soft(summary, about).toBeUndefined();
        continue;
      }
      const [bad, good] = summary.sources;
      expect.soft(good, about).toMatchObject({ name: 'healthy', status: 'complete', listed: PLAYERS.length });
      using tables = await openTables(lake);
      const rowsOf = async (sql: string) => (await tables.query(sql)).rows;
      // The first run decides type and name of a column: the hostile source may say texts, and `id` beside `Id`.
      const [[id] = []] = await rowsOf(
        "select column_name from schema_columns where table_name = 'screens' and export_source = 'healthy' and api_path = 'Id'",
      );
      const ofHealthy = `select ${id}::integer as id, state from screens where export_source = 'healthy' order by 1`;
      expect.soft(await rowsOf(ofHealthy), about).toEqual(PLAYERS.map(({ Id }) => [Id * 10, 'on']));
      const counts = await rowsOf("select count(*) from outcomes where export_source = 'hostile'");
      const sum = Object.values(bad?.outcomes ?? {}).reduce((total, count) => total + count, 0);
      expect.soft([[sum]], about).toEqual(counts);
      if (index % 3 !== 0 && (bad?.listed ?? 0) > 0) expect.soft(sum, about).toBe(OF_A_RUN);
      expect.soft(bad?.error?.code, `${about}: ${bad?.error?.message}`).not.toBe('ANSWER_UNREADABLE');
      expect.soft(bad?.error?.code, `${about}: ${bad?.error?.message}`).not.toBe('SOURCE_SET_ASIDE');
      const names = Object.keys(tables.head.tables);
      const shown = await Promise.all(names.map((name) => rowsOf(`select * from "${name}"`)));
      // To decode all that a lake holds takes longer than its run, so that is done for some.
      const files = index % SEARCHED === 0 ? await everythingIn(join(folder, 'lake')) : [];
      const kept = [JSON.stringify([summary, shown]), said.join(''), ...files];
      expect.soft(kept.filter(showsKey), `${about}: the key`).toEqual([]);
    } finally {
      vi.restoreAllMocks();
      await rm(folder, { recursive: true, force: true });
    }
  }
});
