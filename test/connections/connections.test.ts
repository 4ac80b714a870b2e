import { describe, expect, test } from 'vitest';
import { liveConnections } from './live-connection.ts';

const SEEDS = { from: 1, seeds: 30 };

describe(`servers by the seeds from ${SEEDS.from} to ${SEEDS.seeds}`, () => {
  test('whose connections bring an answer too many: each call has its own', async () => {
    const lived = await liveConnections(SEEDS, 'faults');
    expect(lived.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(lived.filter(({ rounds }) => rounds > 1).length).toBeGreaterThan(SEEDS.seeds / 3);
    expect(lived.flatMap(({ failed }) => failed)).toEqual([]);
  });

  test('whose connections are in order: nothing is asked for twice', async () => {
    const lived = await liveConnections(SEEDS, 'habits');
    expect(lived.filter(({ wrong, failed }) => wrong.length + failed.length > 0)).toEqual([]);
    expect(lived.filter(({ again, unasked }) => again + unasked > 0)).toEqual([]);
  });
});
