import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LITTLE_MEMORY } from '#cli/restart-with-little-memory.ts';
import type { SimulatorOptions } from '#simulator/options.ts';

/** The simulator in its own process. */
export interface Served extends Disposable {
  readonly url: string;
  readonly key: string;
}

/** What a child measured, with its greatest memory and its CPU seconds on all threads. */
export type Measured<Result> = Result & { readonly peakMiB: number; readonly cpuSeconds: number };

/** Starts the simulator in its own process, until it is disposed of. */
export async function serve(options: SimulatorOptions): Promise<Served> {
  const child = start('serve.ts', options);
  const said = JSON.parse(await firstLine(child)) as Omit<Served, typeof Symbol.dispose>;
  return { ...said, [Symbol.dispose]: () => void child.kill() };
}

/** Runs a script of bench/children with an argument in its own process, and returns its report. */
export async function measure<Result>(script: string, argument: object): Promise<Measured<Result>> {
  const child = start(`children/${script}.ts`, argument, script === 'run' ? LITTLE_MEMORY : AS_IT_COMES);
  return JSON.parse(await firstLine(child)) as Measured<Result>;
}

interface Settings {
  readonly env: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
}
const AS_IT_COMES: Settings = { env: {}, flags: [] };

function start(script: string, argument: object, { env, flags }: Settings = AS_IT_COMES): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
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
