import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cliHere } from '../cli/support.ts';
import { viewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

async function status(folder: string, ...more: readonly string[]): Promise<string> {
  return (await cliHere('status', '--lake', join(folder, 'lake'), ...more)).stdout;
}

it('status and report are as fresh as the last answer, not as the last attempt', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-20T03:00:00Z', { players: [{ Id: 1, Name: 'P1' }] });
  await lab.run('2026-11-21T03:00:00Z', { refused: true });
  const stdout = await status(lab.folder);
  expect(stdout).toContain('Fresh as of 2026-11-20 03:00Z (');
  expect(stdout).toContain('berlin: its newest run got no answer; its rows are as of 2026-11-20 03:00Z (');
  const observed = { observedAt: '2026-11-20T03:00:00Z', isOfNewestRun: false };
  expect(JSON.parse(await status(lab.folder, '--json'))).toMatchObject({
    freshness: ['berlin', 'vault'].map((source) => ({ source, ...observed })),
  });
  for (const table of ['players', 'players_daily']) {
    const { stderr } = await cliHere('query', table, '--lake', join(lab.folder, 'lake'));
    expect(stderr).toMatch(
      /^players: Not known: the listing players of source berlin \(.*, last answered on 2026-11-20\)\.$/m,
    );
  }
  const { observedAt, freshness } = await reportOf(lab.lake, '2026-11-22T03:00:00Z');
  expect(observedAt).toBe('2026-11-20T03:00:00Z');
  const age = freshness.columns.findIndex(({ label }) => label === 'Last answer');
  expect(freshness.rows.map((row) => row[age])).toEqual(['2026-11-20T03:00:00Z', '2026-11-20T03:00:00Z']);
});

it('status says how fresh each source is if one lags, here because a run left it out', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-20T03:00:00Z', { players: [{ Id: 1, Name: 'P1' }] });
  await lab.run('2026-11-21T03:00:00Z', { players: [{ Id: 1, Name: 'P1' }] }, ['berlin']);
  const stdout = await status(lab.folder);
  expect(stdout).toContain('Fresh as of 2026-11-21 03:00Z (');
  expect(stdout).toContain('  vault: as of 2026-11-20 03:00Z (');
  expect(stdout).toContain('  berlin: as of 2026-11-21 03:00Z (');
});
