import type { ApiClient } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import type { ResourceName } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import type { DuckDb } from './duckdb.ts';

/** The units that AWS publishes at once. A new account has 10 Lambdas at once, and others need some. */
export const PUBLISH_WIDTH = 4;

/** What a stage may use of the world around it. Tests pass a fake clock and fixed randomness. */
export interface Services {
  readonly lake: Lake;
  readonly now: () => Date;
  /** The clock that long stages wait by. @default the system's clock */
  readonly clock?: Clock;
  /** Milliseconds that are left to this invocation. */
  readonly timeLeft: () => number;
  /** MiB that DuckDB may use. */
  readonly memoryLimitMiB: number;
  /** MiB that DuckDB may spill. @default half of what is free where it spills */
  readonly spillLimitMiB?: number;
  readonly threads: number;
  /** The number of units that are published at once. */
  readonly publishWidth: number;
  /** The DuckDB that the stages of one process share; without it each opens its own. */
  readonly duckDb?: SharedDuckDb;
  /** Bytes of raw in the lake from which a child table is cut. @default `UNIT_BYTES` of lib/plan */
  readonly unitBytes?: number;
  /** The folder of the views. Plan decides types so that the views can read them. */
  readonly views: URL;
  readonly onProgress: (event: ProgressEvent) => void;
  /** What follows a commit, such as the update of the catalog. A repeated commit calls it again, and says so. */
  readonly afterCommit?: (head: Head, isAgain?: true) => Promise<void>;
  /** The key of masks, by its secret's name. Publish reads no other secret, and this one only for masks. */
  readonly maskKey?: (secret: string) => Promise<string>;
}

/** A DuckDB, with its memory, that several pieces of work share. */
export interface SharedDuckDb {
  connect(): Promise<DuckDb>;
  /** Runs work while other such work may run. */
  beside<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs work after all `beside` work has ended; newer work waits. Such work must not call it. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A stage begins no call later than this before its end, so that it has time to put its files into the lake. */
export const CALLS_END_EARLY_MS = 20_000;

/** Stages that call an API may read its secret; plan, publish and commit may not. */
export interface ApiServices extends Services {
  /** The client of a source. It begins no call in the last `CALLS_END_EARLY_MS` of the time. */
  readonly client: (source: Source, place: ClientPlace) => ApiClient;
}

/** Where a client is one of several. */
interface ClientPlace {
  /** How many batches of the source run at once; each Lambda has its share of the limits. */
  readonly width: number;
  /** Until when the server wants the run to wait. A new client keeps to it, and notes a later time. */
  readonly pause?: Pause;
}

/** The wait that a server wants, and whether it answers at all. */
export interface Pause {
  readonly until: () => Date | undefined;
  /** True where the wait is longer than the run waits for one source. */
  readonly isGivenUp: () => boolean;
  readonly note: (until: Date) => void;
  /** Notes a wait that the listing of one parent got: the next pass begins after it. */
  readonly noteOfOne: (until: Date) => void;
  /** True where the source had been silent for too long at the begin; then it is called no more. */
  readonly wasSilent: boolean;
  /** Notes that the run's time ended before all of the source was requested. */
  readonly noteLate: () => void;
  /** Notes that the source sent a usable answer. */
  readonly noteAnswer: () => void;
  /** Notes an item that failed for a reason that may pass. True where the source is silent for too long. */
  readonly noteSilence: () => Promise<boolean>;
}

/** How far a stage has come, for whoever watches. */
export type ProgressEvent =
  | {
      readonly stage: 'list';
      readonly source: string;
      readonly resource: ResourceName;
      readonly records: number;
    }
  | { readonly stage: 'listed'; readonly source: string; readonly items: number }
  | { readonly stage: 'collect'; readonly source: string; readonly done: number }
  /** Counts of an earlier attempt: the items that it listed, and the items that it finished. */
  | { readonly stage: 'kept'; readonly source: string; readonly items: number; readonly done: number }
  | { readonly stage: 'plan' | 'publish' | 'commit' };
