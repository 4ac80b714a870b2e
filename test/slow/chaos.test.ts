import { describe, expect, it } from 'vitest';
import { chaosSeed } from '../../scripts/chaos-seed.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const SEEDS = Number(process.env['CHAOS_SEEDS'] ?? 6);

describe('R1 to R9 under faults, kills and a reader', () => {
  it.concurrent.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('seed %i', async (seed) => {
    await using folder = await temporaryFolder();
    const { broken, readings } = await chaosSeed({ seed, folder: folder.path });
    expect(broken).toEqual([]);
    expect(readings).toBeGreaterThan(0);
  });
});
