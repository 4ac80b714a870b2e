import type { IncomingMessage, ServerResponse } from 'node:http';
import { createFaults } from './faults/engine.ts';
import type { Reach } from './faults/fault.ts';
import type { Secrets, SimulatorOptions } from './options.ts';
import type { Profile } from './profiles/profile.ts';
import { profileNamed } from './profiles/table.ts';
import { createAccess } from './server/access.ts';
import { bind, close, listen } from './server/listen.ts';
import { answerRequest, type State } from './server/pipeline.ts';
import { createSecondOrigin } from './server/second-origin.ts';
import { createStats, type Stats, tally } from './server/stats.ts';
import { createWorld, type World } from './world/world.ts';

export type { Secrets, SimulatorOptions } from './options.ts';

export interface Simulator {
  /** Origin of both APIs. */
  readonly url: string;
  readonly world: World;
  /** The dialect that it speaks; `profile.served(listing)` returns the records as they go over the wire. */
  readonly profile: Profile;
  /** The day of the clock; may be set. */
  day: number;
  readonly stats: Stats;
  /** The secrets that are accepted now. */
  readonly secrets: Secrets;
  /** The spec of the present faults. */
  readonly faults: string;
  /** Replaces the faults, and counts requests and attempts from the beginning. An empty text removes all faults. */
  setFaults(spec: string): Promise<void>;
  /** The ids of today's parents (players and storages) that always meet `gone` or `denied`. */
  parentsMeeting(fault: 'gone' | 'denied'): ReadonlySet<number>;
  close(): Promise<void>;
}

/** Starts both APIs on one origin; it takes no longer with more players. Throws on unknown profiles and faults. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const accountId = Number(options.accountId ?? '1042');
  // The records carry the account id as a number, so another id than a number cannot be theirs.
  const world = createWorld({ ...options, accountId: Number.isSafeInteger(accountId) ? accountId : 1042 });
  const stats = createStats();
  const access = createAccess(options);
  const second = createSecondOrigin((request) => stats.secondOrigin.push(request));
  const { profile: asked = 'reference' } = options;
  const profile = typeof asked === 'string' ? profileNamed(asked) : asked;
  const faultsOf = (spec: string) => createFaults(spec, reach, (name) => tally(stats.byFault, name));
  const reach: Reach = {
    seed: world.settings.seed,
    rotateKey: access.rotate,
    secondOrigin: second.origin,
    refuseConnections: () => void close(server),
  };
  const faults = faultsOf(options.faults ?? '');
  const pipeline = { latencyMs: options.latencyMs ?? 0, pageSize: options.pageSize };
  const { server, url } = await listen(options.port ?? 0, (request, response) => {
    watch(stats, options, request, response);
    answerRequest(state, pipeline, request, response).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  const state: State = {
    profile,
    access,
    stats,
    today: world.at(options.day ?? 0),
    faults,
    requests: 0,
    attempts: new Map(),
  };
  return {
    url,
    world,
    profile,
    stats,
    get day() {
      return state.today.day;
    },
    set day(day) {
      state.today = world.at(day);
    },
    get secrets() {
      return access.secrets;
    },
    get faults() {
      return state.faults.spec;
    },
    async setFaults(spec) {
      state.faults = faultsOf(spec);
      state.requests = 0;
      state.attempts.clear();
      if (!server.listening) await bind(server, Number(new URL(url).port));
    },
    parentsMeeting(fault) {
      const parents = [...state.today.playerIds(), ...state.today.storageIds()];
      return new Set(parents.filter((id) => state.faults.parentMeets(fault, id)));
    },
    async close() {
      await Promise.all([close(server), second.close()]);
    },
  };
}

function watch(
  stats: Stats,
  options: SimulatorOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  stats.requests++;
  stats.inFlight++;
  stats.maxInFlight = Math.max(stats.maxInFlight, stats.inFlight);
  if (options.recordTimes) stats.requestTimes.push(performance.timeOrigin + performance.now());
  if (options.recordPaths) stats.requestPaths.push(request.url ?? '');
  response.once('close', () => {
    stats.inFlight--;
    tally(stats.byStatus, response.writableFinished ? response.statusCode : 0);
  });
}
