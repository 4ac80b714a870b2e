/** How much a bench measures: all of it takes about 4 minutes, the quick one less than one. */
export interface Extent {
  readonly isQuick: boolean;
  /** A new empty folder. */
  readonly folder: () => string;
}
