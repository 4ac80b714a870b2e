import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Memory where there is a folder of it: a lake waits for the disk after each file. */
export const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new empty folder, removed at the end of the scope. */
export async function temporaryFolder(within = tmpdir()): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(within, 'signage-export-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Starts `test/lake/children/NAME.ts` in a process of its own, killed at the end of the scope. */
export function startChild(name: string, ...args: string[]) {
  return childOf(process.execPath, [childScript(name), ...args]);
}

/** The same, where no file may grow beyond a few kB: the nearest to a full disk that needs no rights. */
export function startChildOfLimitedFiles(name: string, ...args: string[]) {
  const line = ['-c', 'ulimit -f 64 && exec "$0" "$@"'];
  return childOf('sh', [...line, process.execPath, childScript(name), ...args]);
}

function childScript(name: string): string {
  return fileURLToPath(new URL(`../lake/children/${name}.ts`, import.meta.url));
}

function childOf(command: string, args: readonly string[]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    pid: child.pid ?? 0,
    /** Resolves once the child has printed something, or has ended. */
    async printed() {
      if (output === '') await Promise.race([once(child.stdout, 'data'), ended]);
      return output;
    },
    /** Exit code and everything printed. */
    async end() {
      const [code] = await ended;
      return { code, output };
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    [Symbol.asyncDispose]() {
      return this.kill();
    },
  };
}
