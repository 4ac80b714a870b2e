import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errno, UsageError } from '../lib/errors.ts';
import { makeFolders } from '../lib/make-folders.ts';
import { FETCH, lockedBinding } from './locked-bindings.ts';

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

/**
 * DuckDB's binding for a Lambda. npm installs only this machine's. `npm run bindings`, or the package's
 * `signage-export bindings`, fetches the other into a cache. It checks the lock file's version and integrity.
 */
export function bindingOf(architecture: LambdaArchitecture) {
  const name = `@duckdb/node-bindings-linux-${CPUS[architecture]}`;
  const { version, integrity } = lockedBinding(name);
  if (version === undefined || !integrity)
    throw new Error(`package-lock.json has no version and integrity of ${name}: run npm install.`);
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const tarball = join(cache, 'signage-export', 'bindings', `${name.replace('/', '-')}-${version}.tgz`);
  return { name, version, integrity, tarball };
}

/** A package, its hash in the lock file, and where its tarball is or will be. */
type Binding = ReturnType<typeof bindingOf>;

/** Throws UsageError if a file's hash differs from the lock file's. */
function checkIntegrity(file: string, { name, version, integrity }: Binding): void {
  const [algorithm = 'sha512'] = integrity.split('-');
  const found = `${algorithm}-${createHash(algorithm).update(readFileSync(file)).digest('base64')}`;
  if (found === integrity) return;
  throw new UsageError(
    `${file} is not ${name} ${version}: its integrity is ${found}, and must be ${integrity}. Remove the file and run \`${FETCH}\` again.`,
  );
}

/** The folders with this process's unpacked tarballs. */
const unpacked = new Map<string, string>();

/**
 * A folder with the binding's files, which this process removes at its end. They come from a tarball with a hash that
 * was checked just before, because others may change a cache. Throws UsageError before it is fetched.
 */
export function fetchedBinding(architecture: LambdaArchitecture): string {
  const binding = bindingOf(architecture);
  const { name, version, tarball } = binding;
  const known = unpacked.get(tarball);
  if (known !== undefined) return known;
  if (!existsSync(tarball))
    throw new UsageError(`${name} ${version} is not in ${tarball}: run \`${FETCH}\` once, then again.`);
  checkIntegrity(tarball, binding);
  const folder = mkdtempSync(join(tmpdir(), 'signage-export-binding-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  unpacked.set(tarball, join(folder, 'package'));
  return join(folder, 'package');
}

/** Fetches the binding by npm if the cache lacks it, and returns its path. Throws UsageError for another file. */
export function fetchBinding(architecture: LambdaArchitecture): string {
  const binding = bindingOf(architecture);
  const { name, version, tarball } = binding;
  if (existsSync(tarball)) {
    checkIntegrity(tarball, binding);
    return `${name} ${version} is in ${tarball}`;
  }
  try {
    makeFolders(dirname(tarball));
  } catch (cause) {
    const says = `The cache ${dirname(tarball)} cannot be made (${errno(cause)})`;
    const cure = 'name a folder that this user may write by XDG_CACHE_HOME.';
    throw new UsageError(`${says}: ${cure}`, 'CONFIG_INVALID', cause);
  }
  const work = mkdtempSync(join(tmpdir(), 'signage-export-binding-'));
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const options = { cwd: work, encoding: 'utf8', shell: process.platform === 'win32' } as const;
    const [packed] = JSON.parse(execFileSync(npm, ['pack', '--json', `${name}@${version}`], options));
    const fetched = join(work, packed.filename);
    checkIntegrity(fetched, binding);
    // The copy is first next to its place: the cache may be on another disk, and half a tarball must not look whole.
    copyFileSync(fetched, `${tarball}.part`);
    renameSync(`${tarball}.part`, tarball);
    return `${name} ${version} fetched into ${tarball}`;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
