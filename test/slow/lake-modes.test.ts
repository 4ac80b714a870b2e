import { existsSync, renameSync } from 'node:fs';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
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
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { placesOf, saidBy } from '../cli/support.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';

/** What of a lake others than its owner may read, and what lies in its scratch area. */
async function openIn(lake: string): Promise<readonly string[]> {
  const paths = ['', ...(await readdir(lake, { recursive: true }))];
  expect(paths.length).toBeGreaterThan(50);
  const modes = paths.map(async (path) => {
    const found = await stat(join(lake, path));
    const mode = (found.mode & 0o777).toString(8);
    const isRight = mode === (found.isDirectory() ? '700' : '600') && !path.startsWith('.scratch/');
    return isRight ? [] : [`${mode} ${path}`];
  });
  return (await Promise.all(modes)).flat();
}

it('all that commands make in a lake is its owner’s alone, and nothing is left aside', async () => {
  await using lab = await exportLab({ players: 30, faults: 'denied:0.2' });
  const at = (name: string) => join(lab.folder, name);
  const of = await placesOf(lab);
  const umask = process.umask(0);
  try {
    const run = (runTime: string) => saidBy(addRun, 'run', '--backdate', '--run-time', runTime, ...of);
    await run('2026-11-20T03:00:00Z');
    expect(await openIn(at('lake'))).toEqual([]);
    await run('2026-11-21T03:00:00Z');
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

it.each(['listed', 'plan', 'publish', 'commit'] as const)(
  'a run whose lake is moved at %s says so, and goes on when it is back',
  async (stage) => {
    await using lab = await exportLab({ players: 2 }, SIGNAGE_ALONE);
    const time = '2026-11-20T03:00:00Z';
    const elsewhere = `${lab.lake.name}-elsewhere`;
    let isMoved = false;
    const onProgress = (event: ProgressEvent) => {
      if (event.stage !== stage || isMoved) return;
      isMoved = true;
      renameSync(lab.lake.name, elsewhere);
    };
    const message = expect.stringContaining('Put it back where it was and start the same run again');
    await expect(lab.run(time, { onProgress })).rejects.toMatchObject({ code: 'LAKE_MISSING', message });
    expect(existsSync(lab.lake.name)).toBe(false);
    await rename(elsewhere, lab.lake.name);
    // The process that had it has not ended: it is this one.
    const lease = join(lab.lake.name, 'state', 'lease.json');
    await writeFile(lease, (await readFile(lease, 'utf8')).replace('"released": false', '"released": true'));
    expect(await lab.run(time)).toMatchObject({ status: 'complete' });
  },
);
