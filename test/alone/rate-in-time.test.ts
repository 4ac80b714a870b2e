import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { json, serve } from '../api/support/serve.ts';
import { createChance } from '../support/chance.ts';
import { crowdedWindows } from '../support/crowded-windows.ts';
import { drawn } from '../support/drawn.ts';
import { labSettings } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const CHILD = fileURLToPath(new URL('../support/children/export.ts', import.meta.url));
const RUN = '2026-11-20T03:00:00Z';
const RATE = 8;
/** With two listings each, 15 s of calls. */
const PLAYERS = Array.from({ length: 61 }, (_, index) => ({ Id: index + 1 }));

// test/slow/rate-of-runs.test.ts does the same on a clock of its own, with Lambdas, faults and sweeps.
it.each(drawn([1, 2]))(
  'processes that are killed keep to the rate in real time: seed %i',
  { timeout: 120_000 },
  async (seed) => {
    const chance = createChance(seed);
    await using folder = await temporaryFolder();
    const calls: number[] = [];
    const restarts: number[] = [];
    await using server = await serve((request, response) => {
      calls.push(performance.now());
      json(response, JSON.stringify(/\/Players$/.test(request.url ?? '') ? PLAYERS : []));
    });
    const signage = { requestsPerSecond: RATE, concurrency: 16 };
    await mkdir(folder.path, { recursive: true });
    await writeFile(join(folder.path, 'config.json'), JSON.stringify(labSettings(server.url, { signage })));
    const secrets = {
      'lab/berlin': { apiKey: 'key-of-the-lab' },
      'lab/vault': { accessToken: 'token-of-the-lab' },
    };
    await writeFile(join(folder.path, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });

    /** The run in a process, killed at an event of collect unless that is null. */
    const run = async (event: number | null): Promise<string | null> => {
      const kill = event === null ? ['', '1'] : ['collect', String(event)];
      const child = spawn(process.execPath, [CHILD, folder.path, RUN, 'Infinity', ...kill], {
        stdio: 'ignore',
      });
      const [, signal] = await once(child, 'close');
      return signal;
    };
    for (let kill = 0; kill < 4; kill++) {
      expect(await run(1 + Math.floor(chance.number() * 20))).toBe('SIGKILL');
      restarts.push(performance.now());
    }
    expect(await run(null)).toBe(null);
    expect(calls.length).toBeGreaterThan(PLAYERS.length * 2);
    expect(crowdedWindows(calls, { rate: RATE, restarts }), `seed ${seed}`).toEqual([]);
  },
);
