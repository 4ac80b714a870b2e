import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it, vi } from 'vitest';
import { bindingOf, fetchedBinding } from '../../infra/bindings.ts';
import { temporaryFolder } from '../support/lake-children.ts';

it('a cached binding that is not what the lock file names is refused each time', async () => {
  await using folder = await temporaryFolder();
  vi.stubEnv('XDG_CACHE_HOME', folder.path);
  try {
    expect(() => fetchedBinding('arm64')).toThrow(/run `npm run bindings` once/);
    const { tarball } = bindingOf('arm64');
    await mkdir(dirname(tarball), { recursive: true });
    await writeFile(tarball, 'another binding');
    expect(() => fetchedBinding('arm64')).toThrow(/its integrity is sha512-.*Remove the file/);
  } finally {
    vi.unstubAllEnvs();
  }
});
