/**
 * For a run on a machine without limits. The heap is collected often once it has 64 MiB. Its young part has
 * its full size from the start. One thread collects it, because others would wait for it busily. All threads
 * share one arena of the system's allocator, because separate arenas keep memory that they no longer use. All
 * are read when a process starts.
 */
export const LITTLE_MEMORY = {
  flags: [
    '--max-semi-space-size=16',
    '--min-semi-space-size=16',
    '--no-parallel-scavenge',
    '--max-old-space-size=1024',
    '--initial-old-space-size=64',
    '--heap-growing-percent=20',
  ],
  env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536' },
} as const;

/** The commands that hold answers and tables in memory; the others end before it matters. */
const LARGE = ['run', 'schedule', 'demo', 'repair', 'rebuild', 'rollback', 'purge', 'schema'];

/**
 * Starts this program again with the settings of LITTLE_MEMORY if a command line names a large command. It
 * stays in the same process if the system can (25 ms). Does nothing in a process that already has them.
 */
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

/** Flags of LITTLE_MEMORY that are reset while Node loads its modules, to V8's default values. With another value Node would
 * compile its own modules again. */
const OTHER_V8 = { '--initial-old-space-size': 0, '--heap-growing-percent': 0 } as const;

/**
 * Resets the flags that the program does not need while it loads. Node has its own modules compiled for a V8 without
 * them. For another V8 it compiles them again, in 20 ms. The heap read its first size when the process began.
 */
export function setUsualFlags(): void {
  for (const [flag, usual] of Object.entries(OTHER_V8)) setFlag(flag, `${flag}=${usual}`);
}

/** Eight times V8's budget. A run of few calls ends before V8 optimizes the parser of HTTP, which takes 50 ms of CPU. */
const WASM_BUDGET = '--wasm-tiering-budget=100000000';

/** Sets how much the heap grows, and the budget of WASM, once the program is loaded. */
export function setFlagsOfRun(): void {
  const flag = '--heap-growing-percent';
  setFlag(flag, process.execArgv.find((each) => each.startsWith(flag)) ?? '');
  setFlag(flag, WASM_BUDGET);
}

/** Changes a flag, in a process that was started with this one. */
function setFlag(flag: string, setting: string): void {
  if (!process.execArgv.some((each) => each.startsWith(flag))) return;
  process.getBuiltinModule('node:v8').setFlagsFromString(setting);
}
