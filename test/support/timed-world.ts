export const RUN = '2026-11-21T03:00:00Z';

/** A run as a seed draws it. */
export interface World {
  /** A process for all stages, which is killed as a whole, or a Lambda for each call of a stage. */
  readonly place: 'laptop' | 'lambdas';
  readonly players: number;
  readonly sources: readonly { readonly name: string; readonly rate: number; readonly concurrency: number }[];
  /** Of the calls of stages so many are killed, after up to so many ms. */
  readonly kills: { readonly part: number; readonly withinMs: number };
  /** How often the whole run is killed and started again, after up to so many ms each. */
  readonly restarts: { readonly count: number; readonly withinMs: number };
  /** Of the calls so many are refused with 429, break off, or meet an API that knows another key since. */
  readonly faults: { readonly throttled: number; readonly broken: number; readonly keyChanges: number };
  readonly latencyMs: number;
  /** The longest reading of a secret. */
  readonly secretMs: number;
  /** What the server refuses in addition to the drawn faults; undefined where it answers. */
  readonly refusal?: (asked: Asked) => Refused | undefined;
  /** @default RUN */
  readonly runTime?: string;
  /** The folder of a lake that several runs share. @default one of its own */
  readonly lake?: string;
  /** Of the config, at its top level. */
  readonly settings?: object;
}

/** A world in which nobody is killed and nothing fails. */
export const CALM = {
  kills: { part: 0, withinMs: 0 },
  restarts: { count: 0, withinMs: 0 },
  faults: { throttled: 0, broken: 0, keyChanges: 0 },
  secretMs: 0,
} as const;

/** A call as the server got it. */
export interface Asked {
  readonly source: string;
  /** `Players`, or `Players/7/Screens`. */
  readonly item: string;
  /** ms since the run began. */
  readonly at: number;
}

export interface Refused {
  readonly status: number;
  readonly retryAfter?: string;
}

/** What a server got, by the source that it is of: when its calls came, and when list began again. */
export type Heard = ReadonlyMap<
  string,
  { readonly calls: number[]; readonly restarts: number[]; readonly items: Asked[] }
>;
