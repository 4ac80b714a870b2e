import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExportLab, exportLab } from '../support/export-lab.ts';

const LATENCY_MS = 20;
const CONCURRENCY = 50;

let lab: ExportLab;
beforeAll(async () => {
  lab = await exportLab({ players: 1000, latencyMs: LATENCY_MS });
});
afterAll(() => lab[Symbol.asyncDispose]());

it('1,000 players at 20 ms an answer and 50 calls at once take at most 1.3 times their waiting, and 3 s', async () => {
  const seconds: number[] = [];
  for (const hour of ['03', '04', '05']) {
    const summary = await lab.run(`2026-11-20T${hour}:00:00Z`);
    const idealSeconds = (summary.requests * LATENCY_MS) / CONCURRENCY / 1000;
    expect(summary.status).toBe('complete');
    seconds.push(summary.durationSeconds - 1.3 * idealSeconds);
  }
  // The best of three: other programs slow a run down, nothing makes it faster than it is.
  expect(Math.min(...seconds)).toBeLessThanOrEqual(3);
});
