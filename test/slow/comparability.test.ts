import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSources } from '#cli/check-sources.ts';
import { localApiServices } from '#cli/local-api-services.ts';
import { localServices } from '#cli/local-services.ts';
import { fragmentsOf } from '#cli/proposals.ts';
import { FIELDS } from '#simulator/profiles/fields.ts';
import type { Profile } from '#simulator/profiles/profile.ts';
import { PROFILES, profileNamed } from '#simulator/profiles/table.ts';
import { type Comparability, comparabilityOf } from '../dialects/support/comparability.ts';
import { compareLakes } from '../dialects/support/compare-lakes.ts';
import { type Exported, exportDays, WORLD } from '../dialects/support/export-days.ts';
import { reshapedDifference } from '../dialects/support/reshaped-rows.ts';
import { drawn } from '../support/drawn.ts';
import { exportLab, labSecrets } from '../support/export-lab.ts';
import { someOf } from '../support/some-of.ts';

/** What an export without a line of configuration comes to. */
type Unconfigured =
  /** Everything is there, typed as in reference. */
  | 'whole'
  /** Everything is there; what only the operator knows stays text, and a question questions for it. */
  | 'question'
  /** What is missing is an error that names the setting. */
  | 'error';

/** Profile → its result without configuration. */
const TABLE: Readonly<Record<string, Unconfigured>> = {
  reference: 'whole',
  'backup-2023': 'error',
  'paged-standard': 'whole',
  odata: 'whole',
  marker: 'whole',
  // Its groups are a map, which two alike entries prove.
  cursor: 'whole',
  'limit-skip': 'whole',
  // A player with one transfer is a map of one entry, which those with two prove.
  'link-header': 'whole',
  'legacy-dotnet': 'whole',
  'camel-local': 'question',
  'guid-drf': 'whole',
  'keyed-map': 'whole',
};

const DAYS = [0, 1];

let reference: Exported;
beforeAll(async () => {
  reference = await exportDays({ profile: 'reference', days: DAYS });
});
afterAll(() => reference[Symbol.asyncDispose]());

async function expectAlike(
  { lab }: Exported,
  profile: Profile,
  days: readonly number[],
  comparability = comparabilityOf(profile),
): Promise<void> {
  if (comparability === undefined) throw new Error(`${profile.name} is compared with nothing`);
  const lakes = { reference: reference.lab.lake, other: lab.lake, world: lab.simulator.world };
  expect(await compareLakes({ ...lakes, days, comparability })).toEqual([]);
  for (const resource of comparability.reshaped) {
    for (const day of days) {
      const { served, found } = await reshapedDifference(lab, { profile, resource, day });
      expect(found).toEqual(served);
      expect(served.length).toBeGreaterThan(0);
    }
  }
}

/** Without the setting, a map whose keys are the ids of its records is read as a list: it has no column of keys. */
function asLists(profile: Profile): Comparability | undefined {
  const comparability = comparabilityOf(profile);
  if (comparability === undefined) return undefined;
  const withId = Object.entries(FIELDS).filter(([, fields]) => Object.values(fields).includes('id'));
  const added = Object.fromEntries(withId.map(([name]) => [name, []]));
  return { ...comparability, added: { ...comparability.added, ...added } };
}

it('the table has every profile that can be compared', () => {
  const comparable = PROFILES.filter((profile) => comparabilityOf(profile) !== undefined);
  expect(comparable.map(({ name }) => name)).toEqual(Object.keys(TABLE));
});

describe('with the settings that it needs, a profile gives the tables of reference', () => {
  it.each(Object.keys(TABLE))('%s', async (name) => {
    const profile = profileNamed(name);
    const settings = comparabilityOf(profile)?.settings ?? {};
    await using exported = await exportDays({ profile: name, settings, days: DAYS });
    for (const { status, sources } of someOf(exported.summaries)) {
      expect(status).toBe('complete');
      expect(sources.flatMap(({ questions, drift }) => [...questions, ...drift])).toEqual([]);
    }
    await expectAlike(exported, profile, DAYS);
  });
});

const unconfigured = (as: Unconfigured) =>
  Object.entries(TABLE).flatMap(([name, comesTo]) => (comesTo === as ? [name] : []));

const ZONE = 'Europe/Berlin';
const isAsked = (name: string) => unconfigured('question').includes(name);

describe('what check says is to be written makes the export whole', () => {
  // Only a person knows the zone; the one that stands for it here is that of the world.
  it.each(drawn([...unconfigured('error'), ...unconfigured('question')]))('%s', async (name) => {
    await using lab = await exportLab({ ...WORLD, profile: name });
    await using services = localApiServices(localServices(lab.lake), labSecrets(lab.simulator));
    const { proposals, questions } = await checkSources(lab.written, services);
    const codes = new Set(questions.map(({ code }) => code));
    expect([...codes]).toEqual(isAsked(name) ? ['TIME_ZONE_UNKNOWN'] : []);
    const answers = questions.flatMap(({ source, resource, cures }) =>
      cures.map(({ setting }) => ({ source, resource, setting, value: ZONE, why: 'a person says so' })),
    );
    const { berlin, vault } = fragmentsOf([...proposals, ...answers]);
    const signage = berlin instanceof Object && { signage: berlin };
    const settings = { ...signage, ...(vault instanceof Object && { backup: vault }) };
    await using exported = await exportDays({ profile: name, settings, days: [0] });
    expect(exported.summaries).toMatchObject([{ status: 'complete' }]);
    await expectAlike(exported, profileNamed(name), [0]);
  });
});

describe('without configuration nothing is silently missing', () => {
  const settingsOf = (name: string) => comparabilityOf(profileNamed(name))?.settings ?? {};
  const needsSettings = (name: string) => Object.keys(settingsOf(name)).length > 0;

  // Those that need no setting are compared above.
  it.each(unconfigured('whole').filter(needsSettings))('%s is whole', async (name) => {
    await using exported = await exportDays({ profile: name, days: [0] });
    expect(exported.summaries.map(({ status }) => status)).toEqual(['complete']);
    await expectAlike(exported, profileNamed(name), [0], asLists(profileNamed(name)));
  });
});
