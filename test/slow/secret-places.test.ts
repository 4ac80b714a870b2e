import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { everythingIn } from '../support/everything-in.ts';
import { exportLab } from '../support/export-lab.ts';

it('a run with keys from a variable, a file and a command leaves them nowhere', async () => {
  await using lab = await exportLab({ players: 3 });
  const { signage, backup } = lab.simulator.secrets;
  const mask = 'a-mask-of-tests-0123456789';
  const at = (name: string) => join(lab.folder, name);
  await writeFile(at('token'), `${backup.accessToken}\n`);
  const config = JSON.parse(lab.written.text);
  config.sources[0].secret = 'env:TEST_RUN_KEY';
  config.sources[1].secret = 'exec:cat token';
  config.maskSecret = 'file:mask';
  config.sources[0].resources = { players: { mask: ['Name'] } };
  await writeFile(at('mask'), mask);
  await writeFile(at('config.json'), JSON.stringify(config));
  const words = [join(process.cwd(), 'cli/main.ts'), 'run', '--config', 'config.json', '--lake', 'lake'];
  // The simulator is in this process, which must not wait for the other.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, {
    cwd: lab.folder,
    env: { ...process.env, TEST_RUN_KEY: signage.apiKey },
  });
  const everything = [stdout, stderr, ...(await everythingIn(at('lake')))];
  const keys = [signage.apiKey, backup.accessToken, mask];
  expect(everything.filter((text) => keys.some((key) => text.includes(key)))).toEqual([]);
});
