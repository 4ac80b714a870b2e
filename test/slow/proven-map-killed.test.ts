import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSimulator } from '#simulator/server.ts';
import { contentHash } from '../../scripts/content-hash.ts';
import { killLab } from '../support/kill-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const DAY = '2026-11-20T03:00:00Z';

it('a run killed while it reads anew what another answer proved ends with the same tables', async () => {
  const simulator = await startSimulator({ players: 24, pageSize: 8, seed: 3, profile: 'keyed-map' });
  const folder = await temporaryFolder();
  try {
    const undisturbed = await killLab(join(folder.path, 'undisturbed'), simulator);
    expect((await undisturbed.run(DAY)).signal).toBe(null);
    const due = await contentHash(undisturbed.lake);
    const { screens = 0, pending_file_transfers = 0, backup_slots = 0 } = simulator.stats.byResource;
    const asked = screens + pending_file_transfers + backup_slots;
    for (const nth of [5, asked - 1, asked]) {
      const lab = await killLab(join(folder.path, `${nth}`), simulator);
      expect((await lab.run(DAY, { stage: 'collect', nth })).signal).toBe('SIGKILL');
      expect((await lab.run(DAY)).said).toContain('"status":"complete"');
      expect(await contentHash(lab.lake)).toEqual(due);
    }
  } finally {
    await simulator.close();
    await folder[Symbol.asyncDispose]();
  }
});
