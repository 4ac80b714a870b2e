import { spawnSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { lambdaContext } from './lambda-context.ts';

it('what a killed call left on the disk of its Lambda is gone before the next one begins', async () => {
  await using folder = await temporaryFolder();
  vi.stubEnv('TMPDIR', folder.path);
  vi.stubEnv('LAKE', 's3://some-bucket');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    const child = fileURLToPath(new URL('children/killed.ts', import.meta.url));
    expect(spawnSync(process.execPath, [child]).signal).toBe('SIGKILL');
    const [left = ''] = await readdir(folder.path);
    expect(await readdir(join(folder.path, left, 'copies'))).toEqual(['raw']);
    // An instance that was reset has the process id of before; and others are none of this one's business.
    await mkdir(join(folder.path, left.replace(/\d+/, String(process.pid))));
    await mkdir(join(folder.path, `signage-export-copies-${process.ppid}-of-another`));
    await mkdir(join(folder.path, 'thesis'));

    await using lake = s3Lake('s3://some-bucket', { pathStyle: true });
    const handler = stageLambda('plan').handler(async (_, { services }) => [
      basename(services.lake.folders[0] ?? ''),
      ...(await readdir(folder.path)),
    ]);
    const [own, ...there] = (await handler({}, lambdaContext())) as readonly string[];
    const others = [`signage-export-copies-${process.ppid}-of-another`, 'thesis'];
    expect([...there].sort()).toEqual([own, basename(lake.folders[0] ?? ''), ...others].sort());
  } finally {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  }
});

it('a process that ends leaves no copy, whatever it ends by', async () => {
  await using folder = await temporaryFolder();
  const child = fileURLToPath(new URL('children/killed.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [child, 'exit'], {
    env: { ...process.env, TMPDIR: folder.path },
  });
  expect([status, await readdir(folder.path)]).toEqual([7, []]);
});
