import type { Config } from '../lib/config/config.ts';

/** A Lambda that has been killed has lost what it had: 15 minutes are the most that AWS gives. */
const LONGEST_SECONDS = 900;
/** The most that a new account's Lambdas may have, and 1.7 vCPU: a million screens are published in it. */
const LARGEST_MIB = 3008;

export type StageName = 'start' | 'list' | 'collect' | 'sweep' | 'plan' | 'publish' | 'commit';

export interface StageForm {
  readonly name: StageName | 'operate' | 'watch';
  readonly says: string;
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  /** /tmp, which every Lambda has 512 MiB of at no cost. */
  readonly diskMiB: number;
  /** Prefixes of the lake whose objects it may read, put and remove. */
  readonly reads: readonly string[];
  readonly puts: readonly string[];
  readonly removes: readonly string[];
  /** It talks to APIs and may read their secrets. */
  readonly callsApi: boolean;
  /** It works with DuckDB. */
  readonly hasDuckDb: boolean;
  /** It writes to the catalog. */
  readonly hasCatalog: boolean;
  /** It publishes values, and so may read the key of the masks. */
  readonly masks: boolean;
  /** The config lies beside its code; the others read what the start wrote into the lake. */
  readonly hasConfig: boolean;
}

const LEASE = 'state/lease.json';
const RUNS = 'state/runs/*';
const plain = {
  memoryMiB: 512,
  timeoutSeconds: LONGEST_SECONDS,
  diskMiB: 512,
  removes: [],
  callsApi: false,
  hasDuckDb: false,
  hasCatalog: false,
  masks: false,
  hasConfig: false,
} as const;

/**
 * What a stage's Lambda gets, MiB. Collect waits nearly all of its time and is nearly all of the cost, so it has no more
 * than its calls need: it holds 190 MiB at 50 calls and 100,000 players, and 16 MiB are room for what a call answers, as
 * bytes, text and records.
 */
export function memoryOf({ name, memoryMiB }: StageForm, config: Config): number {
  if (name !== 'collect') return memoryMiB;
  const calls = Math.max(0, ...config.sources.map(({ concurrency }) => concurrency));
  return Math.min(memoryMiB, 192 + 16 * calls);
}

/** The stages as Lambdas: what each has and what each may. */
export const STAGES: readonly (StageForm & { readonly name: StageName })[] = [
  {
    ...plain,
    name: 'start',
    says: "takes the lease, writes the run's config, starts the execution",
    // Three reads, two puts and a catalog compared: 2 s; startDeployed counts on it being dead after two minutes.
    timeoutSeconds: 60,
    reads: ['state/*'],
    puts: [LEASE, RUNS],
    hasCatalog: true,
    hasConfig: true,
  },
  {
    ...plain,
    name: 'list',
    says: "calls a source's top-level listings",
    // 64 MiB of rows in the making a listing and the ids of a million players (100 MB); one vCPU scans 60 MB/s.
    memoryMiB: 1769,
    // The largest listing that the config allows by itself (2 GiB), verbatim and mended, compressed at least 2 to 1.
    diskMiB: 4096,
    reads: ['state/*', 'raw/*'],
    puts: [LEASE, RUNS, 'raw/*'],
    removes: [RUNS],
    callsApi: true,
  },
  {
    ...plain,
    name: 'collect',
    says: 'calls the child listings of one batch',
    // 64 calls in flight of at most 8 MiB; at 20 calls a second half a vCPU is idle nine tenths of the time.
    memoryMiB: 1024,
    diskMiB: 2048,
    reads: ['state/*', 'raw/*'],
    puts: [LEASE, 'raw/*'],
    callsApi: true,
  },
  {
    ...plain,
    name: 'sweep',
    says: 'batches again what a pass left',
    // A thousand batches' indexes, one after the other, and the ids that are left of a million players.
    memoryMiB: 1024,
    reads: ['state/*', 'raw/*'],
    puts: [LEASE, RUNS],
    removes: [RUNS],
  },
  {
    ...plain,
    name: 'plan',
    says: 'decides outcomes, schema and units over the whole run',
    memoryMiB: LARGEST_MIB,
    // Copies of the run's raw answers (500 MB for a million players, zipped) and what DuckDB spills, ten times that.
    diskMiB: 10_240,
    reads: ['state/*', 'raw/*', 'tables/*'],
    puts: [LEASE, RUNS],
    hasDuckDb: true,
  },
  {
    ...plain,
    name: 'publish',
    says: "turns a unit's raw answers into Parquet",
    memoryMiB: LARGEST_MIB,
    diskMiB: 10_240,
    reads: ['state/*', 'raw/*', 'tables/*'],
    puts: [LEASE, RUNS, 'tables/*'],
    hasDuckDb: true,
    masks: true,
  },
  {
    ...plain,
    name: 'commit',
    says: 'puts the new head, then the catalog follows it',
    reads: ['state/*'],
    puts: [LEASE, 'state/head.json', RUNS],
    removes: [RUNS, 'raw/*', 'tables/*'],
    hasCatalog: true,
  },
];

/** What does an operator's commands: as much as plan, publish and commit together, no API and none of their keys. */
export const OPERATE: StageForm = {
  ...plain,
  name: 'operate',
  says: "does an operator's commands: repair, rebuild, rollback, purge, another type for a column",
  memoryMiB: LARGEST_MIB,
  diskMiB: 10_240,
  reads: ['state/*', 'raw/*', 'tables/*'],
  puts: [LEASE, 'state/head.json', RUNS, 'tables/*'],
  removes: [RUNS, 'raw/*', 'tables/*'],
  hasDuckDb: true,
  hasCatalog: true,
  masks: true,
  hasConfig: true,
};

/** What sees that no run came, which nothing else can say. */
export const WATCH: StageForm = {
  ...plain,
  name: 'watch',
  says: 'fails where no run was committed in time',
  timeoutSeconds: 60,
  reads: ['state/head.json'],
  puts: [],
};
