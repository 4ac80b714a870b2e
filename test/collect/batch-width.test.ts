import { expect, it } from 'vitest';
import { batchWidth } from '#lib/run/cut-batches.ts';
import { labConfig } from '../support/export-lab.ts';

it.each([
  [1, 1],
  [64, 1],
  [65, 2],
  [128, 2],
  [129, 3],
])('no batch has more than 64 calls in flight: %i at once are spread over %i', (concurrency, width) => {
  const [source] = labConfig('http://localhost:1', { signage: { concurrency } }).sources;
  expect(source && batchWidth(source)).toBe(width);
});
