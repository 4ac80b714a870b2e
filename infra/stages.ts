import type { Config } from '../lib/config/config.ts';

/** AWS's maximum, because a killed Lambda loses its work. */
const LONGEST_SECONDS = 900;
/** A new account's maximum, with 1.7 vCPU: enough to publish a million screens. */
const LARGEST_MIB = 3008;

export type StageName = 'start' | 'list' | 'collect' | 'sweep' | 'plan' | 'publish' | 'commit';

export interface StageForm {
  readonly name: StageName | 'operate' | 'watch' | 'news';
  readonly says: string;
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  /** The size of /tmp; 512 MiB cost nothing. */
  readonly diskMiB: number;
  /** Prefixes of the lake's objects that it may read, put and remove. */
  readonly reads: readonly string[];
  readonly puts: readonly string[];
  readonly removes: readonly string[];
  /** It calls APIs and may read their secrets. */
  readonly callsApi: boolean;
  readonly hasDuckDb: boolean;
  /** It writes to the catalog. */
  readonly hasCatalog: boolean;
  /** It reports what a run brought, from the views and with a page. */
  readonly tells: boolean;
  /** It masks values, or says which key masks them, so it may read that key. */
  readonly masks: boolean;
  /** The config is next to its code; the other stages read the copy that start wrote into the lake. */
  readonly hasConfig: boolean;
}

const LEASE = 'state/lease.json';
const RUNS = 'state/runs/*';
/** The head, and the one that a commit is about to put. */
const HEADS = ['state/head.json', 'state/next-head.json'];
/** The marker, and the copy of what the newest head needs, outside of state/, because it may be lost. */
const MARKER = 'state-copy/lake.json';
const COPIES = 'state-copy/state.json.gz';
/** The parents with children that have rows, one file for each source. */
const PARENTS = 'state/parents/*';
/** The time of the first look at the lake of an installation without a commit. */
const FIRST_LOOK = 'state/watch.json';
/** The parts of heads that they share. */
const MONTHS = 'state/months/*';
/** Figures of days for the page. */
const FIGURES = 'state/figures/*';
const plain = {
  ...{ memoryMiB: 512, timeoutSeconds: LONGEST_SECONDS, diskMiB: 512, reads: ['state/*', 'raw/*'] },
  ...{ removes: [], callsApi: false, hasDuckDb: false, hasCatalog: false },
  ...{ tells: false, masks: false, hasConfig: false },
} as const;
/** A quarter of its disk is for copies of raw answers (500 MB zipped for a million players), a half for what DuckDB spills. */
const heavy = {
  ...{ ...plain, memoryMiB: LARGEST_MIB, diskMiB: 10_240, hasDuckDb: true, masks: true },
  reads: ['state/*', 'raw/*', 'tables/*'],
} as const;

/**
 * The memory of a stage's Lambda, MiB. Collect is nearly all of the cost, so it gets only what its calls
 * need. It takes 288 MiB for itself: 190 were measured at 50 calls and 100,000 players, up to 250 while it
 * parses a record of 2 MiB. Each call takes 8 MiB for its answer, as bytes, text and row.
 */
export function memoryOf({ name, memoryMiB }: StageForm, config: Config): number {
  if (name !== 'collect') return memoryMiB;
  const calls = Math.max(0, ...config.sources.map(({ concurrency }) => concurrency));
  return Math.min(memoryMiB, 288 + 8 * calls);
}

/** The stages as Lambdas: what each has and what each may do. */
export const STAGES: readonly (StageForm & { readonly name: StageName })[] = [
  {
    ...plain,
    name: 'start',
    says: "takes the lease, writes the run's config, starts the execution",
    // It takes about 2 s. startDeployed relies on the limit: after two minutes, no start is still running.
    timeoutSeconds: 60,
    reads: ['state/*', MARKER, COPIES],
    puts: [LEASE, RUNS, MARKER],
    hasCatalog: true,
    hasConfig: true,
  },
  {
    ...plain,
    name: 'list',
    says: "calls a source's top-level listings",
    // A million players need 376 MiB. Three listings of one record with 2.9 million values each need 865, at once.
    // Its share of a vCPU scans 35 MB/s.
    memoryMiB: 1024,
    // The largest listing by default (2 GiB), verbatim or in another form, compressed at least 2 to 1.
    diskMiB: 4096,
    puts: [LEASE, RUNS, 'raw/*'],
    removes: [RUNS],
    callsApi: true,
    // `smoke` calls it before the first run.
    hasConfig: true,
  },
  {
    ...plain,
    name: 'collect',
    says: 'calls the child listings of one batch',
    // 64 parallel calls need 768 MiB. At 20 calls a second, half a vCPU is idle nine tenths of the time.
    memoryMiB: 1024,
    diskMiB: 2048,
    // A pause is the end of a wait that a server wanted of the run.
    puts: [LEASE, 'state/runs/*/pauses/*', 'raw/*'],
    callsApi: true,
  },
  {
    ...plain,
    name: 'sweep',
    says: 'batches again what a pass left',
    // It reads the indexes of a thousand batches one by one. It keeps the remaining ids of a million players.
    memoryMiB: 1024,
    puts: [LEASE, RUNS],
    removes: [RUNS],
  },
  {
    ...heavy,
    name: 'plan',
    says: 'decides outcomes, schema and units over the whole run',
    puts: [LEASE, RUNS, PARENTS],
  },
  {
    ...heavy,
    name: 'publish',
    says: "turns a unit's raw answers into Parquet",
    puts: [LEASE, RUNS, 'tables/*'],
  },
  {
    ...plain,
    name: 'commit',
    says: 'puts the new head, then the catalog follows it',
    reads: ['state/*', MARKER],
    puts: [LEASE, ...HEADS, MONTHS, RUNS, COPIES],
    removes: [MONTHS, RUNS, FIGURES, 'raw/*', 'tables/*'],
    hasCatalog: true,
  },
];

/** The Lambda of an operator's commands. It has the rights of plan, publish and commit, but calls no API. */
export const OPERATE: StageForm = {
  ...heavy,
  name: 'operate',
  says: "does an operator's commands: repair, rebuild, rollback, recover, purge, another type for a column",
  reads: [...heavy.reads, MARKER, COPIES],
  // A purge of a record and a new name of a source write raw again.
  puts: [LEASE, ...HEADS, PARENTS, MONTHS, RUNS, MARKER, COPIES, 'raw/*', 'tables/*'],
  removes: [PARENTS, MONTHS, RUNS, FIGURES, 'raw/*', 'tables/*'],
  hasCatalog: true,
  hasConfig: true,
};

/** The Lambda that notices a missing run, and a commit that nobody got a report of. */
export const WATCH: StageForm = {
  ...plain,
  name: 'watch',
  says: 'fails if no run was committed in time, tells a commit that nobody heard of',
  timeoutSeconds: 60,
  reads: [...HEADS, MONTHS, FIRST_LOOK, 'state/found.json'],
  puts: [FIRST_LOOK],
};

/** The Lambda that reports what a run brought: events, a message to the config's receivers, and a page. */
export const NEWS: StageForm = {
  ...plain,
  name: 'news',
  says: 'tells what a run brought: events, messages, a page',
  // DuckDB over ten days of tables; figures of earlier days are stored.
  memoryMiB: 1769,
  timeoutSeconds: 600,
  diskMiB: 4096,
  reads: [...HEADS, 'state/found.json', FIGURES, MONTHS, RUNS, MARKER, 'tables/*'],
  puts: ['state/found.json', FIGURES],
  removes: [FIGURES],
  hasDuckDb: true,
  tells: true,
  hasConfig: true,
};
