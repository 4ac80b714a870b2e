import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { architectureNamed, bindingOf, checkIntegrity } from './bindings.ts';

/** `npm run bindings`: fetches DuckDB's binding for Lambda (arm64; `x86_64` as argument for the other). */
const architecture = architectureNamed(process.argv[2] ?? 'arm64');
const binding = bindingOf(architecture);
const { name, version, tarball } = binding;
if (existsSync(tarball)) {
  checkIntegrity(tarball, binding);
  console.log(`${name} ${version} is in ${tarball}`);
} else {
  const work = mkdtempSync(join(tmpdir(), 'signage-export-binding-'));
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const options = { cwd: work, encoding: 'utf8', shell: process.platform === 'win32' } as const;
    const [packed] = JSON.parse(execFileSync(npm, ['pack', '--json', `${name}@${version}`], options));
    const fetched = join(work, packed.filename);
    checkIntegrity(fetched, binding);
    // Copied beside its place first: the cache may be on another disk, and half a tarball must not look whole.
    mkdirSync(dirname(tarball), { recursive: true });
    copyFileSync(fetched, `${tarball}.part`);
    renameSync(`${tarball}.part`, tarball);
    console.log(`${name} ${version} fetched into ${tarball}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
