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
export async function venv(folder: string, packages: readonly string[], python = 'python3'): Promise<void> {
  await run(python, ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', ...packages], { maxBuffer: 64 * 1024 * 1024 });
}

/** AWS's client of Lambda's runtime API for Node, which npm builds for this machine. */
const RIC = '4.0.2';

/** The file to start with Node and the name of a handler, in the folder of a bundle. */
export async function lambdaRuntimeClient(): Promise<string> {
  const folder = await tool(`ric-${RIC}`, async (into) => {
    const manifest = { private: true, allowScripts: { 'aws-lambda-ric': true } };
    await writeFile(join(into, 'package.json'), JSON.stringify(manifest));
    const options = { cwd: into, maxBuffer: 64 * 1024 * 1024 };
    await run('npm', ['install', '--no-audit', '--no-fund', `aws-lambda-ric@${RIC}`], options);
  });
  return join(folder, 'node_modules', 'aws-lambda-ric', 'index.mjs');
}
