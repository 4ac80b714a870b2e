import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSimulator } from '#simulator/server.ts';
import { everythingIn } from '../support/everything-in.ts';
import { exportLab } from '../support/export-lab.ts';
import { killLab } from '../support/kill-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const DAY_1 = '2026-11-20T03:00:00Z';

describe('R8: no secret reaches a log, an error, a file, a state payload or another host', () => {
  it('with rotation, failures and answers that echo the key', { timeout: 120_000 }, async () => {
    await using folder = await temporaryFolder();
    const keys: string[] = [];
    let isReady = false;
    const simulator = await startSimulator({
      players: 40,
      faults: 'rotate@from=4,echo@status=401,echo:0.05@status=500,echo:0.05@status=403,reset:0.02',
      onRotate: ({ signage, backup }) => {
        keys.push(signage.apiKey, backup.accessToken);
        const secrets = JSON.stringify({ 'lab/berlin': signage, 'lab/vault': backup });
        if (!isReady) return;
        writeFileSync(join(folder.path, 'secrets.new'), secrets);
        renameSync(join(folder.path, 'secrets.new'), join(folder.path, 'secrets.json'));
      },
    });
    try {
      const lab = await killLab(folder.path, simulator);
      isReady = true;
      keys.push(simulator.secrets.signage.apiKey, simulator.secrets.backup.accessToken);
      const { said } = await lab.run(DAY_1);
      expect(simulator.stats.byFault).toMatchObject({ rotate: expect.any(Number), echo: expect.any(Number) });
      expect(keys).toHaveLength(6);
      // What Parquet has compressed is read as its readers see it.
      const places = [said, ...(await everythingIn(join(folder.path, 'lake')))];
      expect(places.length).toBeGreaterThan(30);
      for (const key of keys) expect(places.filter((text) => text.includes(key))).toEqual([]);
    } finally {
      await simulator.close();
    }
  });

  it.each([
    ['a redirect', 'redirect:0.2', 'reference', 'REDIRECT_REFUSED'],
    ['a link to the next page', 'next-link', 'link-header', 'PAGING_OTHER_ORIGIN'],
  ])('%s to another origin takes the key nowhere', { timeout: 60_000 }, async (_, faults, profile, code) => {
    await using lab = await exportLab({ players: 60, pageSize: 20, profile, faults });
    await lab.run(DAY_1, { random: () => 0 });
    expect(lab.simulator.stats.secondOrigin).toEqual([]);
    const codes = await lab.rows('select distinct error_code from outcomes');
    expect(codes.map(({ error_code }) => error_code)).toContain(code);
  });
});
