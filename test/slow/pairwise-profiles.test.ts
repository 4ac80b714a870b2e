import { pairwiseProfiles } from '#simulator/profiles/pairwise.ts';
import { describeProfiles, SEED } from '../api/support/describe-profiles.ts';

describeProfiles(pairwiseProfiles(SEED));
