import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cliHere } from '../cli/support.ts';
import { viewLab } from '../queries/view-lab.ts';

it('query, status and report read a lake that nobody may write to, and leave nothing in it', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-20T03:00:00Z', { players: [{ Id: 1, Name: 'P1' }], licenses: [{ Type: 'A' }] });
  await lab.run('2026-11-21T03:00:00Z', { refused: true });
  const lake = join(lab.folder, 'lake');
  // Permissions do not hold root back, a file in the place of the scratch folder does.
  const scratch = join(lake, '.scratch');
  await rm(scratch, { recursive: true });
  await writeFile(scratch, '');
  await chmod(lake, 0o500);
  const before = await stat(lake);
  const ask = async (...args: string[]) => {
    const { status, stdout, stderr } = await cliHere(...args, '--lake', lake);
    expect(status, stderr).toBe(0);
    return stdout;
  };

  expect(JSON.parse(await ask('query', 'select name from players', '--json'))).toEqual([{ name: 'P1' }]);
  expect(await ask('status')).toContain('repair can ask again for 5 listings');
  const report = await ask('report', '--out', join(lab.folder, 'page.html'));
  expect(report).toContain('Wrote ');
  expect(report).not.toContain('Left out');

  expect((await stat(lake)).mtimeMs).toBe(before.mtimeMs);
  expect((await readdir(lake)).sort()).toEqual(['.scratch', 'raw', 'state', 'state-copy', 'tables']);
  await chmod(lake, 0o700);
});
