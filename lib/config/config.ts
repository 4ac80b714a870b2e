import type * as z from 'zod';
import type { Source } from '../sources/source.ts';
import type { configShape } from './config-shape.ts';

/** The config that all stages read: defaults filled in, paths absolute. */
export type Config = Readonly<Omit<z.output<typeof configShape>, 'sources' | '$schema'>> & {
  readonly sources: readonly Source[];
};
