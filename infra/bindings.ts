import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../lib/errors.ts';

/** CDK's name of an architecture → npm's. */
const CPUS = { arm64: 'arm64', x86_64: 'x64' } as const;
export type LambdaArchitecture = keyof typeof CPUS;

/** The architecture of that name. Throws UsageError if Lambda does not have it. */
export function architectureNamed(name: string): LambdaArchitecture {
  const found = Object.keys(CPUS).find((known) => known === name);
  if (found !== undefined) return found as LambdaArchitecture;
  throw new UsageError(
    `Lambda has no architecture ${JSON.stringify(name)}: name ${Object.keys(CPUS).join(' or ')}.`,
  );
}

export interface Binding {
  /** npm's name of the package. */
  readonly name: string;
  readonly version: string;
  /** The tarball's hash in the lock file. */
  readonly integrity: string;
  /** The folder for its files, which may not exist yet. */
  readonly folder: string;
}

const ROOT = new URL('..', import.meta.url);

/**
 * DuckDB's binding for a Lambda. `npm ci` installs only that of this machine, so `npm run bindings` fetches the other
 * into a cache, with the version and integrity of the lock file.
 */
export function bindingOf(architecture: LambdaArchitecture): Binding {
  const name = `@duckdb/node-bindings-linux-${CPUS[architecture]}`;
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (typeof version !== 'string' || typeof integrity !== 'string' || integrity === '') {
    throw new Error(`package-lock.json has no version and integrity of ${name}: run npm install.`);
  }
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'signage-export', 'bindings', `${name.replace('/', '-')}-${version}`);
  return { name, version, integrity, folder };
}

/** The folder of the binding's files. Throws if `npm run bindings` has not fetched it. */
export function fetchedBinding(architecture: LambdaArchitecture): string {
  const { name, version, folder } = bindingOf(architecture);
  if (existsSync(join(folder, 'duckdb.node'))) return folder;
  throw new Error(`${name} ${version} is not in ${folder}: run \`npm run bindings\` once, then again.`);
}
