import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import { type Simulator, startSimulator } from '#simulator/server.ts';
import { contentHash } from '../../scripts/content-hash.ts';
import { killLab } from '../support/kill-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;

// First runs are killed by `npm run chaos`, of which test/slow proves ten seeds.
describe('R2: a run killed at any point and started again under its id ends with the same tables', () => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let undisturbed: Readonly<Record<string, string>>;
  const labIn = (name: string) => killLab(join(folder.path, name), simulator);

  beforeAll(async () => {
    simulator = await startSimulator({ players: 40, seed: 11 });
    folder = await temporaryFolder();
    const lab = await labIn('undisturbed');
    await lab.run(DAYS[0]);
    await cp(join(folder.path, 'undisturbed'), join(folder.path, 'first'), { recursive: true });
    simulator.day = 1;
    await lab.run(DAYS[1]);
    undisturbed = await contentHash(lab.lake);
  }, 120_000);
  afterAll(async () => {
    await simulator.close();
    await folder[Symbol.asyncDispose]();
  });

  it.each<{ stage: ProgressEvent['stage']; nth: number; unitBytes?: number }>([
    { stage: 'list', nth: 2 },
    { stage: 'collect', nth: 30 },
    { stage: 'plan', nth: 1 },
    { stage: 'publish', nth: 4 },
    { stage: 'publish', nth: 8, unitBytes: 2000 },
    { stage: 'commit', nth: 1 },
  ])('killed in $stage at event $nth', { timeout: 120_000 }, async ({ stage, nth, ...cut }) => {
    const name = `${stage}-${nth}`;
    await cp(join(folder.path, 'first'), join(folder.path, name), { recursive: true });
    const lab = await labIn(name);
    expect((await lab.run(DAYS[1], { stage, nth, ...cut })).signal).toBe('SIGKILL');
    simulator.stats.reset();
    const { signal, said } = await lab.run(DAYS[1], cut);
    expect({ signal, said }).toMatchObject({ signal: null });
    const asked = simulator.stats.requests;
    if (stage !== 'list' && stage !== 'collect') expect(asked, 'asked for again').toBe(0);
    expect(await contentHash(lab.lake)).toEqual(undisturbed);
  });

  it('a committed run started again changes no byte', async () => {
    const root = join(folder.path, 'undisturbed', 'lake');
    const before = await bytesOf(root);
    simulator.stats.reset();
    const lab = await labIn('undisturbed');
    expect((await lab.run(DAYS[1])).signal).toBe(null);
    expect(await bytesOf(root)).toEqual(before);
    expect(simulator.stats.requests).toBe(0);
  });
});

/** Every file but the lock, with its bytes and the time of its last change. */
async function bytesOf(root: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !path.includes('.lock')) files[path] = (await readFile(path)).toString('base64');
  }
  return files;
}
