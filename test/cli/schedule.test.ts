import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/lake-children.ts';

it.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)('%s ends a schedule that waits, with exit code %i', async (signal, code) => {
  await using folder = await temporaryFolder();
  const [config, secrets] = [join(folder.path, 'config.json'), join(folder.path, 'secrets.json')];
  const source = {
    name: 'berlin',
    kind: 'signage',
    baseUrl: 'https://signage.example.com',
    secret: 'berlin',
  };
  await writeFile(config, JSON.stringify({ name: 'signage', schedule: 'rate(30 days)', sources: [source] }));
  await writeFile(secrets, JSON.stringify({ berlin: { apiKey: 'key-of-tests' } }), { mode: 0o600 });
  const child = spawn(
    process.execPath,
    ['cli/main.ts', 'schedule', '--config', config, '--secrets', secrets],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const ended = once(child, 'exit');
  for await (const text of child.stderr) {
    if (!String(text).includes('the next run is due at')) continue;
    child.kill(signal);
    break;
  }
  expect(await ended).toEqual([code, null]);
});
