import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where tools of the tests are kept between runs; outside the repository, so that a clean clone finds them. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'signage-export');

/** A folder of the cache that holds a tool whole, or is made by `install`; a half-made one is never taken. */
export async function tool(name: string, install: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(join(folder, '.whole'))) return folder;
  const started = performance.now();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await install(folder);
  await writeFile(join(folder, '.whole'), '');
  process.stderr.write(`installed ${name} in ${Math.round((performance.now() - started) / 1000)} s\n`);
  return folder;
}

/** Makes a Python environment in the folder, with these packages (as pip's command line has them). */
export async function venv(folder: string, packages: readonly string[]): Promise<void> {
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', ...packages], { maxBuffer: 64 * 1024 * 1024 });
}
