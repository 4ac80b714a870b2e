/**
 * Of a run on a machine without limits: a heap that is collected often once it has 64 MiB; a young part of it that is from the
 * start as large as it gets, and that one thread collects, for others would wait for it busily; and one arena of the system's
 * allocator for all threads, for an arena of each thread would keep memory that it no longer uses. All are read when a
 * process starts.
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
 * Starts this program again with the settings of LITTLE_MEMORY where a command line names a large command, in the same
 * process where the system can (25 ms). Does nothing in a process that has them already.
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
  // Ctrl-C reaches both processes; this one waits for what the other makes of it.
  process.on('SIGINT', () => {});
  const { status, signal } = spawnSync(process.execPath, args, { stdio: 'inherit', env: environment });
  process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

/** Of LITTLE_MEMORY, those that Node counts as another V8: to each the value of a V8 without it. */
const OTHER_V8 = { '--initial-old-space-size': 0, '--heap-growing-percent': 0 } as const;

/**
 * Sets the flags back that the program does not need while it loads: Node's own modules lie in it compiled for a V8 without
 * them, and are compiled again for any other, which takes 20 ms. The heap has read its first size when the process began.
 */
export function setUsualFlags(): void {
  for (const [flag, usual] of Object.entries(OTHER_V8)) setFlag(flag, `${flag}=${usual}`);
}

/** Sets how much the heap grows, once the program is loaded. */
export function setHeapGrowth(): void {
  const flag = '--heap-growing-percent';
  setFlag(flag, process.execArgv.find((each) => each.startsWith(flag)) ?? '');
}

/** Sets a flag that this process was started with to another value. */
function setFlag(flag: string, setting: string): void {
  if (!process.execArgv.some((each) => each.startsWith(flag))) return;
  process.getBuiltinModule('node:v8').setFlagsFromString(setting);
}
