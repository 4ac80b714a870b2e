import { expect, test } from 'vitest';
import { PROFILES } from '#simulator/profiles/table.ts';
import { comparabilityOf } from '../dialects/support/comparability.ts';
import { pairwiseProfiles } from '../dialects/support/pairwise.ts';
import { describeProfiles, SEED } from './support/describe-profiles.ts';

const NAMED = PROFILES.filter(({ name }) => name !== 'hostile-data');

// Those that are made of any two values of two axes are in test/slow/pairwise-profiles.test.ts.
describeProfiles(NAMED);

test('no profile needs a word on what stands beside its records', () => {
  const named = [...NAMED, ...pairwiseProfiles(SEED)].flatMap((profile) =>
    Object.values(comparabilityOf(profile)?.settings ?? {}).flatMap(({ resources = {} }) =>
      Object.values(resources).flatMap((settings) => Object.keys(settings ?? {})),
    ),
  );
  expect([...new Set(named)].sort()).toEqual(['columns', 'items']);
});
