import { createFaults } from './faults/engine.ts';
import { type FixtureServer, startFixtureServer } from './fixture-server.ts';
import type { Secrets, SimulatorOptions } from './options.ts';
import type { Profile } from './profiles/profile.ts';
import { profileNamed } from './profiles/table.ts';
import { createAccess } from './server/access.ts';
import { close, listen } from './server/listen.ts';
import { answerRequest, type SinceFaults, type State } from './server/pipeline.ts';
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
  /** Replaces the faults, and counts requests and attempts from the beginning. An empty text removes all faults. */
  setFaults(spec: string): Promise<void>;
  /** The ids of today's parents (players and storages) that always meet `gone` or `denied`. */
  parentsMeeting(fault: 'gone' | 'denied'): ReadonlySet<number>;
  close(): Promise<void>;
}

/** Starts both APIs on one origin; it takes no longer with more players. Throws on unknown profiles and faults. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const world = createWorld(options);
  const stats = createStats();
  const access = createAccess(options);
  const { profile: asked = 'reference' } = options;
  const profile = typeof asked === 'string' ? profileNamed(asked) : asked;
  const sinceNow = (spec = ''): SinceFaults => ({
    faults: createFaults(spec, world.settings.seed, (name) => tally(stats.byFault, name)),
    requests: 0,
    attempts: new Map(),
    rotated: new Set(),
  });
  let second: Promise<FixtureServer> | undefined;
  const state: State = {
    profile,
    access,
    stats,
    today: world.at(options.day ?? 0),
    since: sinceNow(options.faults),
    secondOrigin: async () => {
      second ??= startFixtureServer({ routes: {}, requests: stats.secondOrigin });
      return (await second).url;
    },
  };
  const { server, url } = await listen(options.port ?? 0, (request, response) => {
    stats.requests++;
    stats.maxInFlight = Math.max(stats.maxInFlight, ++stats.inFlight);
    if (options.recordsRequests) {
      stats.requestTimes.push(performance.timeOrigin + performance.now());
      stats.requestPaths.push(request.url ?? '');
    }
    response.once('close', () => {
      stats.inFlight--;
      tally(stats.byStatus, response.writableFinished ? response.statusCode : 0);
    });
    answerRequest(state, options, request, response).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
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
    async setFaults(spec) {
      state.since = sinceNow(spec);
    },
    parentsMeeting(fault) {
      const parents = [...state.today.playerIds(), ...state.today.storageIds()];
      return new Set(parents.filter((id) => state.since.faults.parentMeets(fault, id)));
    },
    async close() {
      await Promise.all([close(server), (await second)?.close()]);
    },
  };
}
