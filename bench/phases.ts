/** The phases of a run in their order. `load`: Node and the modules. */
export const PHASES = [
  'load',
  'start',
  'list',
  'children',
  'plan',
  'publish',
  'commit',
  'lake.duckdb',
] as const;
export type PhaseName = (typeof PHASES)[number];

/** Seconds of a phase, by the clock and of CPU on all threads. */
export interface Phase {
  readonly seconds: number;
  readonly cpuSeconds: number;
}
