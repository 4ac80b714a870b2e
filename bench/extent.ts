import type { Former } from './former.ts';

/** How much a bench measures: all of it takes about 8 minutes, the quick one less than one. */
export interface Extent {
  readonly isQuick: boolean;
  /** A new empty folder. */
  readonly folder: () => string;
  /** The commit to compare whole runs with. */
  readonly former: Former | undefined;
}
