import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sideBySide } from '#lib/side-by-side.ts';

describe('steps side by side', () => {
  it('give their results in the order of the items, so many at a time', async () => {
    let atWork = 0;
    let most = 0;
    const results = await sideBySide(new Set([30, 5, 20, 1, 10]), 2, async (ms, index) => {
      most = Math.max(most, ++atWork);
      await sleep(ms);
      atWork -= 1;
      return `${index}: ${ms}`;
    });
    expect(results).toEqual(['0: 30', '1: 5', '2: 20', '3: 1', '4: 10']);
    expect(most).toBe(2);
  });

  it('throw the first error when none is at work any more, and begin no other', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const steps = sideBySide([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('the first');
      await sleep(20);
      ended.push(item);
      throw new Error('a later one');
    });
    await expect(steps).rejects.toThrow('the first');
    expect(begun).toEqual([1, 2]);
    expect(ended).toEqual([2]);
  });

  it('are none where there is no item', async () => {
    expect(await sideBySide([], 4, async () => 1)).toEqual([]);
  });
});
