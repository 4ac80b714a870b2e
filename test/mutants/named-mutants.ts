import { CLOCKS } from './named/clocks.ts';
import { COMMAND_LINE_AND_PAGE } from './named/command-line-and-page.ts';
import { DEPLOYMENT } from './named/deployment.ts';
import { FENCES_AND_TIME } from './named/fences-and-time.ts';
import { HISTORY } from './named/history.ts';
import type { NamedMutant } from './named/named-mutant.ts';
import { RECORDS } from './named/records.ts';
import { TWO_OF_EVERYTHING } from './named/two-of-everything.ts';

/** Wrong lines, each where the code holds a promise. `npm run mutants:named` sees that a test of each promise fails on it. */
export const NAMED_MUTANTS: readonly NamedMutant[] = [
  ...[...FENCES_AND_TIME, ...RECORDS, ...TWO_OF_EVERYTHING, ...HISTORY],
  ...[...CLOCKS, ...DEPLOYMENT, ...COMMAND_LINE_AND_PAGE],
];
