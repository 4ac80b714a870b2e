import { expect, it } from 'vitest';
import { batchWidth, cutBatches } from '#lib/run/cut-batches.ts';
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

it('a lost batch is cut into as many parts as are asked for, as far as its longest list of parents goes', () => {
  const [source] = labConfig('http://localhost:1').sources;
  if (source === undefined) throw new Error('no source');
  const groups = [2, 8].map((count) => ({
    ...{ resource: 'screens' as const, failures: 0 },
    parents: Array.from({ length: count }, (_, index) => `${count}-${index}`),
  }));
  const partsOf = (least: number) => cutBatches(source, groups, least).length;
  expect([1, 4, 8, 9].map(partsOf)).toEqual([1, 4, 8, 8]);
});
