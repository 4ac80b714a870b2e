import { describe, expect, test } from 'vitest';
import { parseExact } from '#lib/api/body/parse.ts';
import type { RawRow } from '#lib/lake/raw/raw.ts';
import { SERVED, type Served } from '#simulator/kind.ts';
import type { Profile } from '#simulator/profiles/profile.ts';
import { PROFILES } from '#simulator/profiles/table.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { recordsOf } from '#simulator/world/listing.ts';
import { comparabilityOf, type SourceFragment } from '../dialects/support/comparability.ts';
import { pairwiseProfiles } from '../dialects/support/pairwise.ts';
import { someOf } from '../support/some-of.ts';
import { clientOf, type Fetched, fetchAll, sourceAt } from './support/serve.ts';

const SEED = 1;
/** Players and storages fill several pages, the others one. */
const OPTIONS = { players: 30, storages: 21, pageSize: 8, seed: SEED };

/** What no client can export whole, and how that ends. */
const FAULTY: Readonly<Record<string, string>> = {
  'paging-ignored': 'PAGING_UNPROVEN',
  'total-wrong': 'TOTAL_MISMATCH',
  'repeats-forever': 'PAGING_LOOP',
  'silent-cap': 'PAGING_UNPROVEN',
};

interface Asked {
  readonly simulator: Simulator;
  readonly profile: Profile;
  readonly resource: Served;
  readonly settings: SourceFragment;
}

/** Two parents of a resource that has them: one with records, one without where there is such a one. */
function parentsOf({ simulator }: Asked, resource: Served): readonly (number | undefined)[] {
  if (resource.parent === null) return [undefined];
  const today = simulator.world.at(0);
  const all = resource.parent === 'players' ? [...today.playerIds()] : [...today.storageIds()];
  const count = (id: number) => today.listing(resource.name, id)?.count ?? 0;
  const none = all.find((id) => count(id) === 0);
  const some = all.find((id) => count(id) > 1) ?? all[0];
  return none === undefined ? [some] : [some, none];
}

async function fetchOne(asked: Asked, parent: number | undefined): Promise<Fetched> {
  const { simulator, profile, resource, settings } = asked;
  const { product, versions, resources = {} } = settings;
  const source = sourceAt(simulator.url, {
    kind: resource.kind,
    ...(product === undefined ? {} : { product }),
    ...(versions === undefined ? {} : { versions }),
    resources,
  });
  const secret = resource.kind === 'signage' ? simulator.secrets.signage : simulator.secrets.backup;
  await using client = clientOf(source, { secrets: { read: async () => secret } });
  const id =
    parent === undefined
      ? null
      : (comparabilityOf(profile)?.idText(resource.parent ?? 'players', parent) ?? String(parent));
  return await fetchAll({ client, source, resource, parentId: id });
}

/** Each record's text as the profile writes it. */
function served(asked: Asked, parent: number | undefined): readonly unknown[] {
  const listing = asked.simulator.world.at(0).listing(asked.resource.name, parent);
  if (listing === undefined) return [];
  return [...recordsOf(asked.profile.served(listing))].map((record) =>
    parseExact(asked.profile.text(record)),
  );
}

function withoutMapKey(record: unknown): unknown {
  return Object.fromEntries(Object.entries(record as object).filter(([key]) => key !== '$key'));
}

function expectOneOutcome(rows: readonly RawRow[]): void {
  expect(rows.map(({ outcome }) => outcome !== null)).toEqual(
    rows.map((_, index) => index === rows.length - 1),
  );
}

async function expectWhole(asked: Asked): Promise<void> {
  for (const parent of parentsOf(asked, asked.resource)) {
    const { rows, end, records } = await fetchOne(asked, parent);
    const due = served(asked, parent);
    expectOneOutcome(rows);
    const faulty = FAULTY[asked.profile.name];
    if (faulty !== undefined && due.length > OPTIONS.pageSize) {
      expect(end).toMatchObject({
        outcome: 'failed',
        errorCode: faulty,
        message: expect.stringContaining(`resources.${asked.resource.name}.paging`),
      });
      continue;
    }
    const { outcome, message, question } = end;
    expect({ name: asked.resource.name, outcome, message, question }).toEqual({
      name: asked.resource.name,
      outcome: due.length === 0 ? 'empty' : 'ok',
      message: null,
      question: undefined,
    });
    expect(records.map(withoutMapKey)).toEqual(due);
  }
}

// Those that are made of any two values of two axes are in test/nightly/dialects.test.ts.
const NAMED = PROFILES.filter(({ name }) => name !== 'hostile-data');

describe('every profile is fetched whole, with the settings that it needs', () => {
  test.each(NAMED)('$name', async (profile) => {
    const simulator = await startSimulator({ ...OPTIONS, profile });
    for (const resource of SERVED) {
      const settings = comparabilityOf(profile)?.settings[resource.kind] ?? {};
      await expectWhole({ simulator, profile, resource, settings });
    }
    await simulator.close();
  });
});

describe('without the settings that it needs, nothing is silently short', () => {
  const withSettings = NAMED.filter(
    (profile) => Object.keys(comparabilityOf(profile)?.settings ?? {}).length > 0,
  );
  test.each(withSettings)('$name', async (profile) => {
    const simulator = await startSimulator({ ...OPTIONS, profile });
    for (const resource of SERVED) {
      const asked: Asked = { simulator, profile, resource, settings: {} };
      for (const parent of someOf(parentsOf(asked, resource))) {
        const { end, records } = await fetchOne(asked, parent);
        if (end.outcome === 'ok' || end.outcome === 'empty')
          expect(records).toHaveLength(served(asked, parent).length);
        // A path that no parent has is told by plan, which sees them all: RESOURCE_MISSING.
        else if (end.outcome !== 'gone') expect(end.message).toMatch(/resources\.|versions/);
      }
    }
    await simulator.close();
  });
});

test('no profile needs a word on what stands beside its records', () => {
  const named = [...NAMED, ...pairwiseProfiles(SEED)].flatMap((profile) =>
    Object.values(comparabilityOf(profile)?.settings ?? {}).flatMap(({ resources = {} }) =>
      Object.values(resources).flatMap((settings) => Object.keys(settings ?? {})),
    ),
  );
  expect([...new Set(named)].sort()).toEqual(['columns', 'items']);
});
