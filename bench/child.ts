import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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

/** Runs a script of bench/children with an argument in its own process, and gives its report. */
export async function measure<Result>(script: string, argument: object): Promise<Measured<Result>> {
  const child = start(`children/${script}.ts`, argument, script === 'run' ? AS_EXPORT : AS_IT_COMES);
  return JSON.parse(await firstLine(child)) as Measured<Result>;
}

/**
 * The options of `npm run export` for Node and the system's allocator: a heap of at most 1 GB that is collected often, and
 * one arena for all threads, for an arena of each thread would keep memory that it no longer uses.
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
