import { runLocally } from '#cli/run-locally.ts';
import type { StartEvent } from '#lib/run/payloads.ts';
import type { Services } from '#lib/runtime/services.ts';
import { type FixtureOptions, startFixtureServer } from '#simulator/fixture-server.ts';
import { askedListing } from './asked-listing.ts';
import { type LabSettings, labAt, labConfig, SIGNAGE_ALONE } from './export-lab.ts';
import { labServices } from './lab-services.ts';

export type Routes = FixtureOptions['routes'];

type Settings = LabSettings | undefined;

export type FixtureLab = Awaited<ReturnType<typeof labOf>>;

/** What `maskSecret` names in a lab. */
export const LAB_MASK_KEY = 'a key of masks, for tests alone';

export const SIGNAGE = '/gv2/webservices/API/v1.12';

/** A lake elsewhere than in a folder, what follows its commits, and how its tables are published. */
export type Place = Pick<Services, 'lake' | 'afterCommit' | 'unitBytes'> &
  Partial<Pick<Services, 'publishWidth'>>;

/** Bodies of a test's own served as both APIs, and a lake to export them into; listings without a route are empty at their usual paths. */
export async function fixtureLab(
  routes: Routes,
  settings: Settings = {},
  place?: Place,
  apiKey = 'fixture-key',
): Promise<FixtureLab> {
  return await labOf({ routes, settings, usual: {}, apiKey, ...(place && { place }) });
}

/** The same without a source of the backup kind, whose tables take a third of the time of a run. */
export async function signageLab(routes: Routes, settings: Settings = {}, place?: Place) {
  const apiKey = 'fixture-key';
  return await labOf({ routes, settings, usual: SIGNAGE_ALONE, apiKey, ...(place && { place }) });
}

interface LabOptions {
  readonly routes: Routes;
  readonly settings: LabSettings;
  /** What holds where the settings, of the lab or of a run, say nothing else. */
  readonly usual: LabSettings;
  readonly place?: Place;
  readonly apiKey: string;
}

async function labOf({ routes, settings, usual, place, apiKey }: LabOptions) {
  let current: Routes = routes;
  const server = await startFixtureServer({
    routes: new Proxy(
      {},
      { get: (_, path: string) => current[path] ?? (isEmpty(path) ? { body: '[]' } : undefined) },
    ),
  });
  const fleets =
    settings.fleets && Object.fromEntries(Object.keys(settings.fleets).map((name) => [name, {}]));
  const plain = labConfig(server.url, fleets && { fleets });
  const isEmpty = (path: string) => !path.includes('?') && askedListing(plain, path) !== undefined;
  const lab = await labAt(server, { ...usual, ...settings }, place?.lake);
  const secrets = {
    readKey: async () => LAB_MASK_KEY,
    read: async (name: string) => (name === 'lab/vault' ? { accessToken: 'fixture-token' } : { apiKey }),
  };
  return {
    ...lab,
    server,
    /** One run at that time against these routes, which stay until others are given; `more` are options of `run`. */
    run: async (
      runTime: string,
      others?: Routes,
      changed?: Settings,
      more?: Pick<StartEvent, 'acceptShrink' | 'acceptSourceRemoval' | 'sources'>,
    ) => {
      current = others ?? current;
      const config = labConfig(server.url, { ...usual, ...(changed ?? settings) });
      // No wait before a retry.
      await using services = labServices({ lake: lab.lake, ...place }, secrets, () => 0);
      return await runLocally({ scheduledTime: runTime, ...more }, { ...services, config });
    },
    /** Serves these routes until others are given. */
    answer: (others: Routes) => {
      current = others;
    },
  };
}
