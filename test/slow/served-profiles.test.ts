import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#simulator/json.ts';
import { parentOf, SERVED_NAMES, type ServedResource } from '#simulator/kind.ts';
import { FIELDS } from '#simulator/profiles/fields.ts';
import type { Profile } from '#simulator/profiles/profile.ts';
import { PROFILES } from '#simulator/profiles/table.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { recordsOf } from '#simulator/world/listing.ts';
import { comparabilityOf } from '../dialects/support/comparability.ts';
import { pairwiseProfiles } from '../dialects/support/pairwise.ts';
import { canonical } from '../simulator/canonical.ts';
import { crawl, pathOf } from '../simulator/crawl.ts';

const SEED = 4;
const NAMED = PROFILES.filter((profile) => comparabilityOf(profile) !== undefined);

/** Small pages, so that children have several too. */
const startWith = (profile: Profile, players: number) =>
  startSimulator({ players, seed: SEED, profile, pageSize: 3 });

interface Parent {
  readonly id: number | undefined;
  readonly text: string | undefined;
}

function parentsOf(simulator: Simulator, profile: Profile, resource: ServedResource): Parent[] {
  const today = simulator.world.at(0);
  const text = (of: ServedResource) => (id: number) => ({
    id,
    text: comparabilityOf(profile)?.idText(of, id),
  });
  const parent = parentOf(resource);
  if (parent === null) return [{ id: undefined, text: undefined }];
  return [...(parent === 'players' ? today.playerIds() : today.storageIds())].map(text(parent));
}

function pathFor(profile: Profile, resource: ServedResource, parent: string | undefined): string {
  const path = pathOf(resource, parent);
  return profile.name === 'backup-2023'
    ? path.replace(/^\/[01]\/backup/, '/1/backups').replace(/slot\?.*$/, 'slots')
    : path;
}

async function expectEverythingServed(profile: Profile, players: number): Promise<void> {
  const simulator = await startWith(profile, players);
  for (const resource of SERVED_NAMES) {
    for (const { id, text } of parentsOf(simulator, profile, resource)) {
      const listing = simulator.world.at(0).listing(resource, id);
      const served = listing === undefined ? [] : [...recordsOf(profile.served(listing))];
      const { records } = await crawl(simulator, pathFor(profile, resource, text));
      expect(records).toEqual(served.map((record) => JSON.parse(profile.text(record))));
    }
  }
  await simulator.close();
}

/** Undoes the dialect with what its comparability says, and compares with the records of reference. */
function expectSameTruth(profile: Profile, simulator: Simulator): void {
  const comparability = comparabilityOf(profile);
  if (comparability === undefined) return;
  for (const resource of SERVED_NAMES.filter((name) => !comparability.reshaped.includes(name))) {
    const parse = (record: JsonObject) => JSON.parse(profile.text(record)) as JsonObject;
    for (const { id } of parentsOf(simulator, profile, resource)) {
      const listing = simulator.world.at(0).listing(resource, id);
      if (listing === undefined) continue;
      const idText = (value: Json) => comparability.idText(resource, Number(value));
      const truth = [...recordsOf(listing)].map((record) => canonical(record, FIELDS[resource], idText));
      const here = [...recordsOf(profile.served(listing))].map((record) =>
        canonical(parse(record), FIELDS[resource], String),
      );
      expect(here).toEqual(truth);
    }
  }
}

describe.each(NAMED.map((profile) => [profile.name, profile] as const))('profile %s', (name, profile) => {
  it('serves every record of all listings, over all pages', () => expectEverythingServed(profile, 12));

  it('says the same as reference', async () => {
    if (name === 'backup-2023') return;
    const simulator = await startWith(profile, 12);
    expectSameTruth(profile, simulator);
    await simulator.close();
  });
});

it('pairwise profiles serve every record and say the same as reference', async () => {
  const simulator = await startSimulator({ players: 4, seed: SEED });
  for (const profile of pairwiseProfiles(SEED)) {
    await expectEverythingServed(profile, 4);
    expectSameTruth(profile, simulator);
  }
  await simulator.close();
});
