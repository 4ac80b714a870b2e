import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { viewLab } from './view-lab.ts';

it('status says which views the tables cannot answer, and what is new in the API', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-20T03:00:00Z', { players: [{ Id: 1, Name: 'P1' }] });
  await lab.run('2026-11-21T03:00:00Z', { players: [{ Id: 1, Name: 'P1', Extra: 1 }] });
  const { stdout } = await promisify(execFile)(process.execPath, [
    'cli/main.ts',
    'status',
    '--lake',
    join(lab.folder, 'lake'),
  ]);
  expect(stdout).toContain('player_health: needs players.last_access (the API does not give it)');
  expect(stdout).toContain('berlin: new columns 1, values that do not fit their column 0');
});
