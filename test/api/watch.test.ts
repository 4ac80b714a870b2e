import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWatch } from '#lib/api/wire/watch.ts';

/** When a call that has bytes at these times is given up, and why; limits and times in ms. */
function givenUp(
  [firstByteMs, idleMs, totalMs]: readonly [number, number, number],
  bytesAt: readonly number[],
): Promise<{ readonly ms: number; readonly why: string }> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const watch = startWatch({ firstByteMs, idleMs, totalMs }, (why) =>
      resolve({ ms: performance.now() - begun, why }),
    );
    for (const at of bytesAt) setTimeout(watch.alive, at);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a call is given up', () => {
  it.each([
    { limits: [100, 400, 900], bytesAt: [], ms: 100, why: 'no answer in 0.1 s' },
    { limits: [400, 100, 900], bytesAt: [], ms: 400, why: 'no answer in 0.4 s' },
    { limits: [400, 100, 200], bytesAt: [], ms: 200, why: 'no whole answer in 0.2 s' },
    { limits: [900, 100, 900], bytesAt: [150], ms: 250, why: 'no further byte in 0.1 s' },
    { limits: [900, 100, 900], bytesAt: [50, 120, 190], ms: 290, why: 'no further byte in 0.1 s' },
    { limits: [900, 200, 300], bytesAt: [50, 150, 250], ms: 300, why: 'no whole answer in 0.3 s' },
  ] as const)('$why, with bytes at $bytesAt, within $limits', async ({ limits, bytesAt, ms, why }) => {
    const seen = givenUp(limits, bytesAt);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await seen).toEqual({ ms, why });
  });
});
