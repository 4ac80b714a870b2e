import type * as z from 'zod';
import type { Source } from '../sources/source.ts';
import type { configShape } from './config-shape.ts';
import type { OpeningHours } from './hours/read-hours.ts';

/** The config that all stages read: defaults filled in, paths absolute, the file of hours read. */
export type Config = Readonly<Omit<z.output<typeof configShape>, 'sources' | 'hours' | '$schema'>> & {
  /** Those of the file that the setting names. */
  readonly hours?: readonly OpeningHours[];
  readonly sources: readonly Source[];
};
