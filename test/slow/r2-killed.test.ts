import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { killLab } from '../support/kill-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { tablesAsText } from '../support/same-tables.ts';

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;

/** A kill: at the nth event of a stage. */
interface Kill {
  readonly stage: ProgressEvent['stage'];
  readonly nth: number;
}

// Deaths at any change to the lake, in runs and in what operators do, are drawn by test/slow/model.test.ts.
describe('R2: a run killed at any point and started again under its id ends with the same tables', () => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let undisturbed: Awaited<ReturnType<typeof tablesAsText>>;
  let asked: number;
  const labIn = (name: string) => killLab(join(folder.path, name), simulator);

  beforeAll(async () => {
    simulator = await startSimulator({ players: 24, pageSize: 8, seed: 3, profile: 'keyed-map' });
    folder = await temporaryFolder();
    const lab = await labIn('undisturbed');
    expect((await lab.run(DAYS[0])).signal).toBe(null);
    await cp(join(folder.path, 'undisturbed'), join(folder.path, 'killed'), { recursive: true });
    simulator.day = 1;
    simulator.stats.reset();
    expect((await lab.run(DAYS[1])).signal).toBe(null);
    const { screens = 0, pending_file_transfers = 0, backup_slots = 0 } = simulator.stats.byResource;
    asked = screens + pending_file_transfers + backup_slots;
    undisturbed = await tablesAsText(lab.lake);
  });
  afterAll(async () => {
    await simulator.close();
    await folder[Symbol.asyncDispose]();
  });

  it('killed once in each stage, and in collect at its last answer too', async () => {
    const lab = await labIn('killed');
    // Tables of several units, so that some are published before the kill and some are not.
    const unitBytes = 2000;
    const killed = async (kill: Kill) => {
      const { signal, said } = await lab.run(DAYS[1], { ...kill, unitBytes });
      expect({ ...kill, signal, said }).toMatchObject({ signal: 'SIGKILL' });
    };
    await killed({ stage: 'list', nth: 2 });
    await killed({ stage: 'collect', nth: 5 });
    // Answers that the first killed process stored are not requested again.
    await killed({ stage: 'collect', nth: asked - 5 });
    await killed({ stage: 'plan', nth: 1 });
    simulator.stats.reset();
    await killed({ stage: 'publish', nth: 4 });
    await killed({ stage: 'publish', nth: 8 });
    await killed({ stage: 'commit', nth: 1 });
    const { signal, said } = await lab.run(DAYS[1], { unitBytes });
    expect({ signal, said }).toMatchObject({ signal: null, said: expect.stringContaining('"complete"') });
    expect(simulator.stats.requests, 'asked for again').toBe(0);
    expect(await tablesAsText(lab.lake)).toEqual(undisturbed);
  });
});
