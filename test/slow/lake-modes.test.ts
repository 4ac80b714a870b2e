import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addPurge } from '#cli/purge.ts';
import { addRepair } from '#cli/repair.ts';
import { addReport } from '#cli/report.ts';
import { addRun } from '#cli/run.ts';
import { addStatus } from '#cli/status.ts';
import { addViews } from '#cli/views.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { runIdAt } from '#lib/run-id.ts';
import { placesOf, saidBy } from '../cli/support.ts';
import { exportLab } from '../support/export-lab.ts';

/** What of a lake others than its owner may read, and what lies in its scratch area. */
async function openIn(lake: string): Promise<readonly string[]> {
  const paths = ['', ...(await readdir(lake, { recursive: true }))];
  expect(paths.length).toBeGreaterThan(50);
  const modes = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(join(lake, path));
      return { path, mode: (found.mode & 0o777).toString(8), right: found.isDirectory() ? '700' : '600' };
    }),
  );
  return modes
    .filter(({ path, mode, right }) => mode !== right || path.startsWith('.scratch/'))
    .map(({ path, mode }) => `${mode} ${path}`);
}

it('all that commands make in a lake is its owner’s alone, and nothing is left aside', {
  timeout: 60_000,
}, async () => {
  await using lab = await exportLab({ players: 30, faults: 'denied:0.2' });
  const at = (name: string) => join(lab.folder, name);
  const of = await placesOf(lab);
  const umask = process.umask(0);
  try {
    await saidBy(addRun, 'run', '--backdate', '--run-time', '2026-11-20T03:00:00Z', ...of);
    expect(await openIn(at('lake'))).toEqual([]);
    await saidBy(addRun, 'run', '--backdate', '--run-time', '2026-11-21T03:00:00Z', ...of);
    await saidBy(addRepair, 'repair', ...of).catch(() => '');
    await saidBy(addReport, 'report', '--out', at('report.html'), ...of);
    await saidBy(addViews, 'views', '--out', at('views.duckdb'), ...of);
    await saidBy(addStatus, 'status', ...of);
    expect(await openIn(at('lake'))).toEqual([]);
    // A server has asked for a wait before it is asked for a storage again: the file names it.
    const wait = lakeKey('pause', { runId: runIdAt(new Date('2026-11-21T03:00:00Z')), source: 'vault' });
    await lab.lake.write(wait, Buffer.from('{"items":{}}'));
    await saidBy(addPurge, 'purge', '--source', 'vault', '--yes', ...of);
    expect(await openIn(at('lake'))).toEqual([]);
    expect(await lab.lake.read(wait)).toBeUndefined();
  } finally {
    process.umask(umask);
  }
});
