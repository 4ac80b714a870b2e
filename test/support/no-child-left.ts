import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { afterAll } from 'vitest';

/**
 * A test that ran out of its time ends no child process, and Vitest waits for that child for ever. So this hook kills
 * what is alive after each file. The files of a worker share esbuild's service, which stays.
 */
const running = new Set<ChildProcess>();
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  running.add(child);
  child.once('exit', () => running.delete(child));
});

afterAll(() => {
  for (const child of running) if (!child.spawnfile.includes('esbuild')) child.kill('SIGKILL');
});
