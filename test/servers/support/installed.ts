import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tool, venv } from '../../support/tool-cache.ts';

const run = promisify(execFile);
const HERE = join(import.meta.dirname, '..');

/** Python with the frameworks of requirements.txt. Throws where the machine has no Python. */
export async function pythonServers(): Promise<string> {
  return await python('requirements.txt', 'stock-servers-python');
}

/** A folder whose node_modules has the frameworks of npm/package.json. */
export async function nodeServers(): Promise<string> {
  const lock = join(HERE, 'npm', 'package-lock.json');
  return await tool(`stock-servers-node-${await hashOf(lock)}`, async (into) => {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(HERE, 'npm', name), join(into, name));
    await npm(into, 'ci');
  });
}

/** Python with what reads a lake's DuckDB file: DuckDB, pandas, polars and SQLAlchemy. */
export async function pythonReaders(): Promise<string> {
  return await python('readers.txt', 'lake-readers-python');
}

/** Python with dbt and its adapter of DuckDB. */
export async function pythonDbt(): Promise<string> {
  return await python('dbt.txt', 'lake-dbt-python');
}

/** Evidence's connector to DuckDB; `npm ci` cannot, for the registry lacks DuckDB's builds for some other systems. */
const EVIDENCE = '@evidence-dev/duckdb@2.0.1';

/** A folder whose node_modules has Evidence's connector to DuckDB. */
export async function evidence(): Promise<string> {
  return await tool(`lake-readers-${EVIDENCE.replaceAll(/\W+/g, '-')}`, async (into) => {
    await writeFile(join(into, 'package.json'), '{ "private": true }');
    await npm(into, 'install', EVIDENCE);
  });
}

/** What Superset keys its sessions by; of tests alone. */
export const SUPERSET_SECRET_KEY = 'a key of the sessions of tests, for nothing else';

/** Superset with DuckDB's driver, and a folder with its database as `superset init` leaves it, of a user admin. */
export async function superset(): Promise<{ readonly python: string; readonly home: string }> {
  const bin = await python('superset.txt', 'superset-python');
  const home = await tool(`superset-home-${await hashOf(join(HERE, 'superset.txt'))}`, async (into) => {
    const env = { ...process.env, SUPERSET_HOME: into, SUPERSET_SECRET_KEY, FLASK_APP: 'superset' };
    const admin = ['username', 'firstname', 'lastname', 'password'].flatMap((what) => [`--${what}`, 'admin']);
    for (const words of [
      ['db', 'upgrade'],
      ['fab', 'create-admin', ...admin, '--email', 'admin@example.com'],
      ['init'],
    ])
      await run(join(bin, '..', 'superset'), words, { env, maxBuffer: 64 * 1024 * 1024 });
  });
  return { python: bin, home };
}

async function npm(cwd: string, ...what: readonly string[]): Promise<void> {
  const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
  await run('npm', [...what, '--no-audit', '--no-fund', '--ignore-scripts'], options);
}

async function python(list: string, name: string): Promise<string> {
  const requirements = join(HERE, list);
  const folder = await tool(`${name}-${await hashOf(requirements)}`, async (into) => {
    await run('python3', ['--version']).catch(() => {
      throw new Error(
        'test:servers needs python3 with venv, and finds none: install Python 3.11 or newer (python3, python3-venv).',
      );
    });
    await venv(into, ['-r', requirements]);
  });
  return join(folder, 'bin', 'python');
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 12);
}
