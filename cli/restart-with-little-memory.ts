/**
 * Node collects the old heap first at 96 MiB, and the young one by a single thread: others would wait busily.
 * One arena of the allocator serves all threads: separate ones keep memory. A process reads all at its start.
 */
export const LITTLE_MEMORY = {
  flags: [
    '--max-semi-space-size=16',
    '--min-semi-space-size=16',
    '--no-parallel-scavenge',
    '--max-old-space-size=1024',
    '--initial-old-space-size=96',
  ],
  env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536' },
} as const;

/** The commands that hold answers and tables in memory; the others end before it matters. */
const LARGE = ['run', 'schedule', 'demo', 'repair', 'rebuild', 'rollback', 'purge', 'schema'];

/** Starts a large command again with LITTLE_MEMORY, in the same process if the system can (25 ms). */
export async function restartWithLittleMemory(words: readonly string[]): Promise<void> {
  const { flags, env } = LITTLE_MEMORY;
  if (process.execArgv.includes(flags[0]) || !words.some((word) => LARGE.includes(word))) return;
  const args = [...flags, ...process.execArgv, ...process.argv.slice(1)];
  const environment = { ...process.env, ...env };
  if (process.platform !== 'win32' && 'execve' in process) {
    process.execve?.(process.execPath, [process.execPath, ...args], environment);
  }
  const { spawnSync } = await import('node:child_process');
  // Ctrl-C reaches both processes; this one waits for the other's reaction.
  process.on('SIGINT', () => {});
  const { status, signal } = spawnSync(process.execPath, args, { stdio: 'inherit', env: environment });
  process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

/** With this flag of LITTLE_MEMORY, Node would compile its own modules again. */
const FIRST_SIZE = '--initial-old-space-size';

/** Once the program runs, only a V8 without the flag takes Node's compiled modules; to compile them takes 20 ms. */
export const setUsualFlags = () => setFlag(`${FIRST_SIZE}=0`);

/** Eight times V8's budget. A run of few calls ends before V8 optimizes the parser of HTTP, which takes 50 ms of CPU. */
export const setBudgetOfWasm = () => setFlag('--wasm-tiering-budget=100000000');

/** Changes a flag of V8 in a process that holds much. */
function setFlag(setting: string): void {
  if (!process.execArgv.some((each) => each.startsWith(FIRST_SIZE))) return;
  process.getBuiltinModule('node:v8').setFlagsFromString(setting);
}
