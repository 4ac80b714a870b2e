import { expect, it, vi } from 'vitest';
import { describeRun } from '#cli/print-run.ts';
import { addRun } from '#cli/run.ts';
import { exportLab } from '../support/export-lab.ts';
import { cli, placesOf } from './support.ts';

it('a run that failed for its coverage alone says so, with the threshold', async () => {
  await using lab = await exportLab({ players: 9 }, { backup: null });
  await lab.simulator.setFaults('denied:1@resource=screens');
  const summary = await lab.run('2026-11-20T03:00:00Z');
  expect(summary.sources).toMatchObject([{ status: 'failed', minCoverage: 0.95, listed: 9 }]);
  expect(describeRun(summary, { lake: './lake' }).join('\n')).toMatch(
    /^berlin: failed, because its coverage of \d+\.\d % is below minCoverage, 95\.0 %\.$/m,
  );
  await lab.simulator.setFaults('denied-all');
  const refused = await lab.run('2026-11-21T03:00:00Z');
  expect(refused.sources).toMatchObject([{ status: 'failed' }]);
  expect(describeRun(refused, { lake: './lake' }).join('\n')).not.toContain('minCoverage');
});

// Scripts and schedulers rely on these numbers: README.md says them.
it.each([
  { faults: '', status: 'complete', code: 0 },
  { faults: 'denied:1@resource=licenses', status: 'partial', code: 3 },
  { faults: 'denied-all', status: 'failed', code: 1 },
])('a run that is $status ends with $code', async ({ faults, status, code }) => {
  await using lab = await exportLab({ players: 3 });
  await lab.simulator.setFaults(faults);
  const said: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await cli(addRun, 'run', '--json', ...(await placesOf(lab)));
    expect([JSON.parse(said.join('')).status, process.exitCode]).toEqual([status, code]);
  } finally {
    process.exitCode = undefined;
    out.mockRestore();
    err.mockRestore();
  }
});
