import { describeProfiles, SEED } from '../api/support/describe-profiles.ts';
import { pairwiseProfiles } from '../dialects/support/pairwise.ts';

describeProfiles(pairwiseProfiles(SEED));
