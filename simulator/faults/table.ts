import { BODIES } from './bodies.ts';
import type { Fault } from './fault.ts';
import { REFUSALS } from './refusals.ts';

/** Every fault by its name in a spec. */
export const FAULTS: ReadonlyMap<string, Fault> = new Map(
  [...REFUSALS, ...BODIES].map((each) => [each.name, each]),
);
