import { expect, test } from 'vitest';
import { pairwiseProfiles } from '#simulator/profiles/pairwise.ts';
import { PROFILES } from '#simulator/profiles/table.ts';
import { describeProfiles, SEED } from './support/describe-profiles.ts';

const NAMED = PROFILES.filter(({ name }) => name !== 'hostile-data');

// Those that the simulator makes of any two values of two axes are in test/slow/pairwise-profiles.test.ts.
describeProfiles(NAMED);

test('no profile needs a word on what stands beside its records', () => {
  const named = [...NAMED, ...pairwiseProfiles(SEED)].flatMap(({ comparability }) =>
    Object.values(comparability?.settings ?? {}).flatMap(({ resources = {} }) =>
      Object.values(resources).flatMap((settings) => Object.keys(settings ?? {})),
    ),
  );
  expect([...new Set(named)].sort()).toEqual(['columns', 'items']);
});
