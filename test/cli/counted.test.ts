import { expect, it } from 'vitest';
import { counted } from '#lib/text.ts';

it.each([
  [0, '0 retries'],
  [1, '1 retry'],
  [2, '2 retries'],
])('%i is counted as people do', (count, words) => {
  expect(counted(count, 'retry', 'retries')).toBe(words);
});
