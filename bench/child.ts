import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SimulatorOptions } from '#simulator/options.ts';

/** What the simulator's process says of itself. */
export interface Served extends Disposable {
  readonly url: string;
  readonly key: string;
}

/** What a child measured, the most memory that it ever held, and the seconds that it computed on all threads. */
export type Measured<Result> = Result & { readonly peakMiB: number; readonly cpuSeconds: number };

/** The simulator in a process of its own, until it is disposed of. */
export async function serve(options: SimulatorOptions): Promise<Served> {
  const child = start('serve.ts', options);
  const said = JSON.parse(await firstLine(child)) as Omit<Served, typeof Symbol.dispose>;
  return { ...said, [Symbol.dispose]: () => void child.kill() };
}

/** Runs a script of bench/children with this argument in a process of its own, and gives what it reported. */
export async function measure<Result>(script: string, argument: object): Promise<Measured<Result>> {
  const child = start(`children/${script}.ts`, argument, script === 'run' ? AS_EXPORT : AS_IT_COMES);
  return JSON.parse(await firstLine(child)) as Measured<Result>;
}

/**
 * What `npm run export` tells Node and the system's allocator: a heap of 1 GB at most that is collected often enough to
 * stay flat, and one arena, for each thread's own would keep what it once held.
 */
const AS_EXPORT = (() => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const words = String(scripts.export).split(' ');
  const settings = words.slice(0, words.indexOf('node')).map((word) => word.split('=', 2));
  return {
    env: Object.fromEntries(settings) as Readonly<Record<string, string>>,
    flags: words.filter((word) => word.startsWith('--')),
  };
})();
const AS_IT_COMES: typeof AS_EXPORT = { env: {}, flags: [] };

function start(script: string, argument: object, { env, flags } = AS_IT_COMES): ChildProcess {
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
