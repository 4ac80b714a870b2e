import { existsSync, renameSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';

it.each(['listed', 'plan', 'publish', 'commit'] as const)(
  'a run whose lake is moved at %s says so, makes none again, and goes on when it is back',
  { timeout: 60_000 },
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
    await expect(lab.run(time, { onProgress })).rejects.toMatchObject({
      code: 'LAKE_MISSING',
      message: expect.stringContaining('Put it back where it was and start the same run again'),
    });
    expect(existsSync(lab.lake.name)).toBe(false);
    await rename(elsewhere, lab.lake.name);
    // The process that had it has not ended: it is this one.
    const lease = join(lab.lake.name, 'state', 'lease.json');
    await writeFile(lease, (await readFile(lease, 'utf8')).replace('"released": false', '"released": true'));
    expect(await lab.run(time)).toMatchObject({ status: 'complete' });
  },
);
