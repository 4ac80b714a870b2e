import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { afterAll } from 'vitest';

/**
 * Runs before each test file. A test that ran out of its time ends no child process: its `await using` waits for ever.
 * Such a child keeps Vitest, and whoever reads its output, waiting for ever too. So what is still alive is killed after
 * the file, by a hook that runs after the file's own. esbuild's service stays: the files of a worker share it, and it holds nobody up.
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
