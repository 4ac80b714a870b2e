import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparabilityOf } from '../dialects/support/comparability.ts';
import { compareLakes } from '../dialects/support/compare-lakes.ts';
import { type Exported, exportDays, WORLD } from '../dialects/support/export-days.ts';
import { pairwiseProfiles } from '../dialects/support/pairwise.ts';
import { reshapedDifference } from '../dialects/support/reshaped-rows.ts';

const DAYS = [0, 1];

describe.concurrent('any two values of two axes together give the tables of reference', () => {
  let reference: Exported;
  beforeAll(async () => {
    reference = await exportDays({ profile: 'reference', days: DAYS });
  });
  afterAll(() => reference[Symbol.asyncDispose]());

  it.each(pairwiseProfiles(WORLD.seed))('$name', async (profile) => {
    const comparability = comparabilityOf(profile);
    if (comparability === undefined) throw new Error(`${profile.name} is compared with nothing`);
    await using exported = await exportDays({ profile, settings: comparability.settings, days: DAYS });
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
