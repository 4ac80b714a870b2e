import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SimulatorOptions } from '#simulator/options.ts';

/** The simulator in its own process. */
export interface Served extends Disposable {
  readonly url: string;
  readonly key: string;
}

/** What a child measured, with its greatest memory and its CPU seconds on all threads. */
export type Measured<Result> = Result & {
  readonly peakMiB: number;
  readonly cpuSeconds: number;
  readonly processSeconds: number;
};

/** Starts the simulator in its own process, until it is disposed of. */
export async function serve(options: SimulatorOptions): Promise<Served> {
  const child = start('serve.ts', options);
  const said = JSON.parse(await firstLine(child)) as Omit<Served, typeof Symbol.dispose>;
  return { ...said, [Symbol.dispose]: () => void child.kill() };
}

/**
 * Runs a script of bench/children with an argument in its own process, and returns its report with the seconds from
 * the process's beginning to its end. `root` is the folder of another commit.
 */
export async function measure<Result>(
  script: string,
  argument: object,
  root?: string,
): Promise<Measured<Result>> {
  const begun = performance.now();
  const folder = root === undefined ? new URL('.', import.meta.url) : pathToFileURL(`${root}/bench/`);
  const child = start(`children/${script}.ts`, argument, {
    ...(script === 'run' ? await littleMemoryOf(folder) : AS_IT_COMES),
    folder,
  });
  const ended = once(child, 'close');
  const line = await firstLine(child);
  await ended;
  return { ...JSON.parse(line), processSeconds: (performance.now() - begun) / 1000 } as Measured<Result>;
}

interface Settings {
  readonly env: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  readonly folder?: URL;
}
const AS_IT_COMES: Settings = { env: {}, flags: [] };

/** The settings of memory with which that commit starts a run. */
async function littleMemoryOf(bench: URL): Promise<Settings> {
  const { LITTLE_MEMORY } = await import(new URL('../cli/restart-with-little-memory.ts', bench).href);
  return LITTLE_MEMORY;
}

function start(
  script: string,
  argument: object,
  { env, flags, folder }: Settings = AS_IT_COMES,
): ChildProcess {
  const path = fileURLToPath(new URL(script, folder ?? import.meta.url));
  return spawn(process.execPath, [...flags, path, JSON.stringify(argument)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'));
  }
  throw new Error(`${child.spawnargs[1]} ended without a result`);
}
