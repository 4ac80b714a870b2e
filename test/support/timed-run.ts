import { join } from 'node:path';
import { localServices } from '#cli/local-services.ts';
import type { ApiClient } from '#lib/api/client.ts';
import { collect } from '#lib/collect/collect.ts';
import { commit } from '#lib/commit/commit.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { list } from '#lib/list/list.ts';
import { plan } from '#lib/plan/plan.ts';
import { publish } from '#lib/publish/publish.ts';
import type { Work } from '#lib/run/payloads.ts';
import { type RunSummary, readSummary } from '#lib/run/summary.ts';
import { type ApiClients, apiClients, lambdaShare, wholeShare } from '#lib/runtime/api-clients.ts';
import { thisProcess } from '#lib/runtime/holder.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { interpret } from '#lib/runtime/state-machine.ts';
import { sweep } from '#lib/sweep/sweep.ts';
import { json, serve } from '../api/support/serve.ts';
import { begin } from './begin.ts';
import { type Chance, createChance } from './chance.ts';
import { labConfig } from './export-lab.ts';
import { temporaryFolder } from './lake-children.ts';
import { type Heard, RUN, type World } from './timed-world.ts';
import { countedLake, RETRY_PATIENCE, settling, virtualTime } from './virtual-time.ts';

/** What a promise comes to; nothing ever, once whoever waits for it is killed. */
async function untilKilled<Value>(promise: Promise<Value>, life: AbortSignal): Promise<Value> {
  try {
    return await promise;
  } finally {
    if (life.aborted) await new Promise(() => {});
  }
}

// What the client loads when it first needs it would be loaded while time passes.
import '#lib/api/call/retries.ts';

type Stage = (event: unknown, services: ApiServices) => Promise<unknown>;

const LAMBDA_MS = 900_000;
/** A call that is killed in each of its tries is lost, as it should be. */
const MOST_KILLS = 2;

/** Lambda's own error, as the state machine sees it where a call was killed. */
class KilledCall extends Error {
  override name = 'Runtime.ExitError';
}

/** One run of a world, with its kills and restarts, in a time that passes only while everybody sleeps. */
export async function timedRun(seed: number, world: World) {
  const chance = createChance(seed * 7919);
  const heard: Heard = new Map(
    world.sources.map(({ name }) => [name, { calls: [], restarts: [], items: [] }]),
  );
  const arrived = () => [...heard.values()].reduce((sum, { calls }) => sum + calls.length, 0);
  const counted = new Set<ApiClient>();
  let storing = 0;
  const sumOf = (count: (stats: ReturnType<ApiClient['stats']>) => number) =>
    [...counted].reduce((sum, client) => sum + count(client.stats()), 0);
  const onItsWay = settling(() => sumOf(({ requests }) => requests) - arrived());
  const isToPause = settling(() => sumOf(({ throttled, retries }) => throttled - retries), RETRY_PATIENCE);
  const scheduledTime = world.runTime ?? RUN;
  await using time = virtualTime(new Date(scheduledTime), () => storing > 0 || onItsWay() || isToPause());
  let keyNumber = 1;
  await using server = await serve(async (request, response) => {
    const [, name = '', item = '', listing = '', id] =
      /^\/(\w+)\/gv2\/webservices\/API\/v1\.12\/((\w+)(?:\/(\d+)\/\w+)?)/.exec(request.url ?? '') ?? [];
    const asked = { source: name, item, at: time.monotonic() };
    heard.get(name)?.calls.push(asked.at);
    heard.get(name)?.items.push(asked);
    const hasKey = (value: unknown) => String(value).includes(`number ${keyNumber}`);
    const isKnown = Object.values(request.headers).some(hasKey);
    const drawn = chance.number();
    await time.sleep(chance.number() * world.latencyMs);
    const { throttled, broken, keyChanges } = world.faults;
    if (!isKnown) return void response.writeHead(401).end();
    const { status, retryAfter: told } = world.refusal?.(asked) ?? {};
    if (status !== undefined)
      return void response.writeHead(status, told === undefined ? {} : { 'retry-after': told }).end();
    if (drawn < throttled) return void response.writeHead(429, retryAfter(chance)).end();
    if (drawn < throttled + broken) return void response.destroy();
    if (drawn < throttled + broken + keyChanges) keyNumber += 1;
    const players = Array.from({ length: world.players }, (_, index) => ({ Id: index + 1 }));
    const records = Number(id) % 2 === 1 ? [{ Id: `${id}-1` }] : [];
    json(response, JSON.stringify(listing === 'Players' && id === undefined ? players : records));
  });
  await using folder = await temporaryFolder();
  const lake = countedLake(folderLake(world.lake ?? join(folder.path, 'lake')), (more) => {
    storing += more;
  });
  const sources = world.sources.map(({ name, rate, concurrency }) => ({
    ...{ name, kind: 'signage', baseUrl: server.url, basePath: `/${name}/gv2/webservices/API` },
    ...{ secret: 'lab/key', requestsPerSecond: rate, concurrency },
  }));
  const config = labConfig(server.url, { config: { ...world.settings, sources } });
  const local = { ...localServices(lake), now: time.now };
  const secrets = {
    read: async () => {
      await time.sleep(chance.number() * world.secretMs);
      return { apiKey: `the key number ${keyNumber} of the lab` };
    },
  };
  const share = world.place === 'laptop' ? wholeShare : lambdaShare;
  const clientsOf = (services: Pick<ApiServices, 'now' | 'timeLeft'>, follow: boolean): ApiClients =>
    apiClients({ services, secrets, random: chance.number, share, follow, clock: time });
  /** The clients of one who may be killed: none of their calls answers after that. */
  const clientIn =
    (clients: ApiClients, lives: readonly AbortSignal[]): ApiServices['client'] =>
    (source, where) => {
      const own = clients.client(source, where);
      counted.add(own);
      const life = AbortSignal.any([...lives]);
      // One that is killed before its client is made has none that could be closed: it calls nobody.
      const get: ApiClient['get'] = (...call) =>
        life.aborted ? new Promise(() => {}) : untilKilled(own.get(...call), life);
      return { ...own, get };
    };

  const killsOf = new Map<string, number>();
  /** One attempt; gives null where it was killed. */
  const attempt = async (killAfterMs: number | null): Promise<RunSummary | null> => {
    const run = new AbortController();
    const holder = { holder: thisProcess(), holderHasEnded: async () => true };
    const input = await begin({ scheduledTime }, { ...local, config, ...holder });
    await using whole = clientsOf(local, false);
    const stage = (name: 'list' | 'collect' | 'sweep', step: Stage) => async (event: unknown) => {
      if (run.signal.aborted) return await new Promise<never>(() => {});
      const source = heard.get((event as { readonly source: string }).source);
      if (name === 'list' && (source?.calls.length ?? 0) > 0) source?.restarts.push(time.monotonic());
      const done =
        world.place === 'laptop'
          ? step(event, { ...local, client: clientIn(whole, [run.signal]) })
          : inLambda(event, step, name !== 'list');
      return await waited(await done);
    };
    const ofRun = run.signal;
    const inLambda = async (event: unknown, step: Stage, follow: boolean): Promise<unknown> => {
      const life = new AbortController();
      const ends = time.monotonic() + LAMBDA_MS;
      const own = { ...local, timeLeft: () => ends - time.monotonic() };
      await using clients = clientsOf(own, follow);
      const call = JSON.stringify(event);
      const isKilled = chance.number() < world.kills.part && (killsOf.get(call) ?? 0) < MOST_KILLS;
      if (isKilled) killsOf.set(call, (killsOf.get(call) ?? 0) + 1);
      const over = new AbortController();
      const kill = async (): Promise<never> => {
        await time.sleep(chance.number() * world.kills.withinMs, over.signal);
        life.abort();
        throw new KilledCall();
      };
      const crash = new Promise<never>((_, reject) => {
        ofRun.addEventListener('abort', () => reject(new KilledCall()), { once: true });
      });
      try {
        const done = step(event, { ...own, client: clientIn(clients, [life.signal, ofRun]) });
        return await Promise.race([done, crash, ...(isKilled ? [kill()] : [])]);
      } finally {
        over.abort();
      }
    };
    /** The state machine's own Wait would take the time of this machine. */
    const waited = async (output: unknown): Promise<unknown> => {
      if (typeof output !== 'object' || output === null || !('waitSeconds' in output)) return output;
      const work = output as Work;
      await time.sleep(work.waitSeconds * 1000);
      return { ...work, waitSeconds: 0 };
    };
    const asking = {
      List: stage('list', list),
      Collect: stage('collect', collect),
      Sweep: stage('sweep', sweep),
    };
    const publishing = (event: unknown) => publish(event, local);
    const stages = { ...asking, PublishUnit: publishing, Ledger: publishing };
    const ends = {
      Plan: (event: unknown) => plan(event, local),
      Commit: (event: unknown) => commit(event, local),
    };
    const isFailed = (error: Error) => error.name === 'RUN_FAILED' || Promise.reject(error);
    const done = interpret(input, { ...stages, ...ends }, { retryMs: 0 }).then(() => true, isFailed);
    const killed = async (ms: number): Promise<boolean> => {
      await time.sleep(ms);
      run.abort();
      return false;
    };
    const isDone = await Promise.race([done, ...(killAfterMs === null ? [] : [killed(killAfterMs)])]);
    return isDone ? await readSummary(lake, input) : null;
  };

  for (let left = world.restarts.count; ; left--) {
    const summary = await attempt(left > 0 ? chance.number() * world.restarts.withinMs : null);
    if (summary !== null) return { summary, heard };
  }
}

function retryAfter(chance: Chance): Record<string, string> {
  const seconds = chance.oneOf(['', '1', '7', '40', '900']);
  return seconds === '' ? {} : { 'retry-after': seconds };
}
