import type { Emulator } from './emulator.ts';

type Faults = Parameters<Emulator['fault']>[0];

/** What a run gets over, with each state tried again at least once: refused, failed, killed, out of time. */
export function trouble(name: string): Faults {
  return {
    [`${name}-list`]: ['TooManyRequestsException', 'ResourceConflictException'],
    [`${name}-collect`]: ['kill:0.05', 'ServiceException'],
    [`${name}-plan`]: ['timeout:0.2'],
    [`${name}-publish`]: ['pass', 'kill:0.3', 'TooManyRequestsException', 'ServiceException@"unit":8'],
    [`${name}-commit`]: ['ServiceException', 'kill:0.01'],
  };
}

/** A batch that is killed as often as it is tried: a sweep collects it. */
export function loss(name: string): Faults {
  return { [`${name}-collect`]: THRICE.map((kill) => `${kill}@berlin`) };
}

/**
 * What nobody gets over: a source cannot be listed, another's batch and sweep are killed as often as they are tried. The
 * run still ends and commits, as failed, for `repair` to ask again.
 */
export function ruin(name: string): Faults {
  return {
    ...loss(name),
    [`${name}-list`]: THRICE.map((kill) => `${kill}@vault`),
    [`${name}-sweep`]: THRICE,
  };
}

/** A state tries a killed Lambda twice again. */
const THRICE = ['kill:0.02', 'kill:0.02', 'kill:0.02'];
