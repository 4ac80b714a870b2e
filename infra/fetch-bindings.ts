import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { architectureNamed, bindingOf } from './bindings.ts';

/** `npm run bindings`: fetches DuckDB's binding for Lambda (arm64; `x86_64` as argument for the other). */
const architecture = architectureNamed(process.argv[2] ?? 'arm64');
const { name, version, integrity, folder } = bindingOf(architecture);
if (existsSync(join(folder, 'duckdb.node'))) {
  console.log(`${name} ${version} is in ${folder}`);
} else {
  const work = mkdtempSync(join(tmpdir(), 'signage-export-binding-'));
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const options = { cwd: work, encoding: 'utf8', shell: process.platform === 'win32' } as const;
    const [packed] = JSON.parse(execFileSync(npm, ['pack', '--json', `${name}@${version}`], options));
    const tarball = join(work, packed.filename);
    const [algorithm = 'sha512'] = integrity.split('-');
    const found = `${algorithm}-${createHash(algorithm).update(readFileSync(tarball)).digest('base64')}`;
    if (found !== integrity) {
      throw new Error(
        `${name} ${version} has the integrity ${found}, but package-lock.json says ${integrity}.`,
      );
    }
    execFileSync('tar', ['-xzf', tarball, '-C', work]);
    // Copied beside its place first: the cache may be on another disk, and half a binding must not look whole.
    mkdirSync(dirname(folder), { recursive: true });
    cpSync(join(work, 'package'), `${folder}.part`, { recursive: true });
    renameSync(`${folder}.part`, folder);
    console.log(`${name} ${version} fetched into ${folder}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
