import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const call = promisify(execFile);
const TAG = 'signage-export:test';

it('the image of the Dockerfile is built, and runs the demo without a root user', async (context) => {
  const isThere = await call('docker', ['info']).then(
    () => true,
    () => false,
  );
  // Said plainly by the report of the tests: where no builder is, the image is not tried.
  if (!isThere) return context.skip('no builder of images is on this machine: the Dockerfile was not built');
  await call('docker', ['build', '--tag', TAG, '.'], { maxBuffer: 2 ** 26 });
  const run = (...words: readonly string[]) => call('docker', ['run', '--rm', ...words]);
  const { stdout } = await run(TAG, 'demo', '--lake', '/data/out');
  expect(stdout).toContain('signage-export status --lake /data/out');
  expect((await run('--entrypoint', 'id', TAG, '-u')).stdout.trim()).not.toBe('0');
});
