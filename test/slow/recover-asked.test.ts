import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cliHere, placesOf } from '../cli/support.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const PLAYERS = { [`${SIGNAGE}/Players`]: { body: '[{"Id":1},{"Id":2}]' } };

it('recover says first what the tables would show, and does it only when told to; verify ends with 1 where a file is lost', async () => {
  await using lab = await signageLab(PLAYERS);
  await lab.run('2026-11-20T03:00:00Z');
  const places = await placesOf(lab);
  const ask = (...args: string[]) => cliHere(...args, ...places);

  expect(await ask('recover')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('The head is sound'),
  });
  await rm(join(lab.lake.name, 'state'), { recursive: true });
  const refused = await ask('status');
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('`recover`')]);

  const first = await ask('recover');
  expect(first.status).toBe(2);
  expect(first.stdout).toContain('as run 20261120T030000Z left them');
  expect(first.stdout).toContain('players: 2 rows; 1 day');
  expect(first.stderr).toContain('Nothing is changed');
  expect((await ask('status')).status).toBe(1);

  const done = await ask('recover', '--yes', '--json');
  expect([done.status, JSON.parse(done.stdout)]).toEqual([
    0,
    expect.objectContaining({ runId: '20261120T030000Z', days: 1, notBack: [], kept: [], missing: [] }),
  ]);
  expect((await ask('status')).stdout).toContain('verify has never compared the files');

  const whole = await ask('verify');
  expect([whole.status, whole.stdout]).toEqual([
    0,
    expect.stringMatching(/^\d+ files .* 0 damaged or missing/),
  ]);
  await rm(join(lab.lake.name, 'tables/players'), { recursive: true });
  const lost = await ask('verify', '--sample', '100');
  expect(lost.status).toBe(1);
  expect(lost.stdout).toMatch(
    /tables\/players\/.* is missing: build the tables again with `rebuild --from 2026-11-20`\./,
  );
  expect((await ask('status')).stdout).toMatch(/verify last read \d+ files .*: 1 damaged or missing/);
});
