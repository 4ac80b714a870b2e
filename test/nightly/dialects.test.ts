import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pairwiseProfiles } from '#simulator/profiles/pairwise.ts';
import { profileNamed } from '#simulator/profiles/table.ts';
import { compareLakes } from '../dialects/support/compare-lakes.ts';
import { type Exported, exportDays, WORLD } from '../dialects/support/export-days.ts';
import { reshapedDifference } from '../dialects/support/reshaped-rows.ts';

const DAYS = [0, 1];
/** The world's, by which the simulator makes its own pairwise set. */
const SEED = WORLD.seed;

describe.concurrent('any two values of two axes together give the tables of reference', () => {
  let reference: Exported;
  beforeAll(async () => {
    reference = await exportDays({ profile: 'reference', days: DAYS });
  });
  afterAll(() => reference[Symbol.asyncDispose]());

  it.each(pairwiseProfiles(SEED).map(({ name }) => name))('%s', async (name) => {
    const profile = profileNamed(name, SEED);
    const { comparability } = profile;
    if (comparability === undefined) throw new Error(`${name} is compared with nothing`);
    await using exported = await exportDays({ profile: name, settings: comparability.settings, days: DAYS });
    const { lab, summaries } = exported;
    const failures = summaries.flatMap(({ sources }) => sources.flatMap(({ error }) => error ?? []));
    expect(failures).toEqual([]);
    const world = lab.simulator.world;
    expect(
      await compareLakes({
        reference: reference.lab.lake,
        other: lab.lake,
        comparability,
        world,
        days: DAYS,
      }),
    ).toEqual([]);
    for (const resource of comparability.reshaped) {
      for (const day of DAYS) {
        const { served, found } = await reshapedDifference(lab, { profile, resource, day });
        expect(found).toEqual(served);
      }
    }
  });
});
