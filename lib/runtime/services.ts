import type { ApiClient } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import type { ResourceName } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import type { DuckDb } from './duckdb.ts';

/** What a stage may use of the world around it. Tests give a fake clock and fixed randomness. */
/** Units that are published at once on AWS: a new account has 10 Lambdas at once, so some are left for others. */
export const PUBLISH_WIDTH = 4;

export interface Services {
  readonly lake: Lake;
  readonly now: () => Date;
  /** What long stages wait by. @default the system's clock */
  readonly clock?: Clock;
  /** Milliseconds that this invocation may still take. */
  readonly timeLeft: () => number;
  /** MiB that DuckDB may use. */
  readonly memoryLimitMiB: number;
  /** MiB that DuckDB may spill. @default half of what is free where it spills */
  readonly spillLimitMiB?: number;
  readonly threads: number;
  /** Units that are published at once. */
  readonly publishWidth: number;
  /** The DuckDB that the stages of one process share; without it each opens its own. */
  readonly duckDb?: SharedDuckDb;
  /** Bytes of raw, as it lies in the lake, beyond which a child table is cut. @default `UNIT_BYTES` of lib/plan */
  readonly unitBytes?: number;
  /** The folder of the views, by whose wishes plan decides types. */
  readonly views: URL;
  readonly onProgress: (event: ProgressEvent) => void;
  /** What follows a commit, such as making the catalog say what the head says; a commit found done calls it again. */
  readonly afterCommit?: (head: Head) => Promise<void>;
  /** The key of masks, by the name of its secret; the only secret that publish may read, and only where the config masks. */
  readonly maskKey?: (secret: string) => Promise<string>;
}

/** A DuckDB, and with it a memory, that several pieces of work share. */
export interface SharedDuckDb {
  connect(): Promise<DuckDb>;
  /** Does work that goes on beside others of its kind. */
  beside<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Does work when all that goes on beside others has ended; what comes meanwhile waits. Not to be called from within such work. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What a stage keeps of its time for closing its files and putting them into the lake: calls end so much earlier. */
export const CALLS_END_EARLY_MS = 20_000;

/** The stages that talk to an API may read its secret; plan, publish and commit may not. */
export interface ApiServices extends Services {
  /** The client of a source, whose calls end `CALLS_END_EARLY_MS` before the time is up. */
  readonly client: (source: Source, place: ClientPlace) => ApiClient;
}

/** Where a client is one of several. */
interface ClientPlace {
  /** So many batches of the source run at once; in as many Lambdas each has its share of the limits. */
  readonly width: number;
  /** Until when the server has asked the run to wait; a client that is made keeps to it, and notes a later one. */
  readonly pause?: Pause;
}

/** Until when a server has asked a run to wait, for all or for an item, and whether it answers at all. */
export interface Pause {
  readonly until: () => Date | undefined;
  /** That is longer than the run waits for one source. */
  readonly isGivenUp: () => boolean;
  readonly note: (until: Date) => void;
  readonly ofItem: (item: Item) => ItemWait | undefined;
  readonly noteItem: (item: Item, until: Date) => void;
  /** The source had been silent for so long, when this began, that it is asked for nothing more. */
  readonly wasSilent: boolean;
  /** The run's time for asking ended before all of the source was asked for. */
  readonly noteLate: () => void;
  /** The source gave a usable answer. */
  readonly noteAnswer: () => void;
  /** An item failed for a reason that may pass. True: the source has been silent for so long that no more is asked. */
  readonly noteSilence: () => Promise<boolean>;
}

/** What a source is asked for. */
export interface Item {
  readonly resource: ResourceName;
  /** Null for a listing without parent. */
  readonly parentId: string | null;
}

/** A wait that the server has asked for before the next call for an item. */
export interface ItemWait {
  readonly until: Date;
  /** How often it has asked for one in the run. */
  readonly times: number;
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
  /** What an earlier attempt left: so many items were listed by it, so many were asked for. */
  | { readonly stage: 'kept'; readonly source: string; readonly items: number; readonly done: number }
  | { readonly stage: 'plan' | 'publish' | 'commit' };

/** A stage: its event in, its small answer out. */
export type Stage<S extends Services, Answer> = (event: unknown, services: S) => Promise<Answer>;
