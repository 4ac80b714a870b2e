import { runLocally } from '#cli/run-locally.ts';
import type { StartEvent } from '#lib/run/payloads.ts';
import type { Services } from '#lib/runtime/services.ts';
import { type FixtureOptions, startFixtureServer } from '#simulator/fixture-server.ts';
import { askedListing } from './asked-listing.ts';
import { type LabSettings, labAt, labConfig, SIGNAGE_ALONE } from './export-lab.ts';
import { labServices } from './lab-services.ts';

export type Routes = FixtureOptions['routes'];

export type FixtureLab = Awaited<ReturnType<typeof fixtureLab>>;

/** What `maskSecret` names in a lab. */
export const LAB_MASK_KEY = 'a key of masks, for tests alone';

export const SIGNAGE = '/gv2/webservices/API/v1.12';

/** A lake elsewhere than in a folder, what follows its commits, and how its tables are published. */
export type Place = Pick<Services, 'lake' | 'afterCommit' | 'unitBytes'> &
  Partial<Pick<Services, 'publishWidth'>>;

/** Routes that a function answers by the path, with its query. */
export const routesBy = (answerAt: (path: string) => Routes[string] | undefined): Routes =>
  new Proxy({}, { get: (_, path: string) => answerAt(path) });

/** Bodies of a test's own served as both APIs, and a lake to export them into; listings without a route are empty at their usual paths. */
export const fixtureLab = labWith({});

/** The same without a source of the backup kind, whose tables take a third of the time of a run. */
export const signageLab = labWith(SIGNAGE_ALONE);

/** Labs in which `usual` holds where the settings, of the lab or of a run, say nothing else. */
function labWith(usual: LabSettings) {
  return async (routes: Routes, settings: LabSettings = {}, place?: Place, apiKey = 'fixture-key') => {
    let current: Routes = routes;
    const server = await startFixtureServer({
      routes: routesBy((path) => current[path] ?? (isEmpty(path) ? { body: '[]' } : undefined)),
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
        changed?: LabSettings,
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
  };
}
