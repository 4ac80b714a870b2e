import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minutesAhead, nearer } from '#lib/api/call/minutes-ahead.ts';
import { createTurns } from '#lib/api/call/turns.ts';
import { startWatch } from '#lib/api/wire/watch.ts';

/** When a call that has bytes at these times is given up, and why; limits and times in ms. */
function givenUp(limits: readonly [number, number, number], bytesAt: readonly number[]) {
  const [firstByteMs, idleMs, totalMs] = limits;
  const begun = performance.now();
  return new Promise((resolve) => {
    const end = (why: string) => resolve({ ms: performance.now() - begun, why });
    const watch = startWatch({ firstByteMs, idleMs, totalMs }, end);
    for (const at of bytesAt) setTimeout(watch.alive, at);
  });
}

describe('a call is given up', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

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

it('turns come in the order in which they were asked for, and what the event loop has goes before them', async () => {
  const turn = createTurns();
  const seen: (number | string)[] = [];
  const all = Array.from({ length: 20 }, async (_, index) => {
    await turn();
    seen.push(index);
  });
  setImmediate(() => seen.push('loop'));
  await Promise.all(all);
  expect(seen.filter((each) => each !== 'loop')).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(seen.indexOf('loop')).toBeLessThan(10);
  await turn();
});

it('who asks while others wait is behind them', async () => {
  const turn = createTurns();
  const seen: string[] = [];
  const ask = async (name: string) => {
    await turn();
    seen.push(name);
  };
  const first = ask('first').then(() => ask('again'));
  const others = ['second', ...Array.from({ length: 10 }, (_, index) => `more ${index}`)];
  await Promise.all([first, ...others.map(ask)]);
  expect(seen.at(-1)).toBe('again');
});

const NOW = new Date('2028-02-29T12:00:00Z');

it.each([
  ['none', {}, undefined],
  ['of this second', { date: 'Tue, 29 Feb 2028 12:00:00 GMT' }, 0],
  ['of another zone, as if it were GMT', { date: 'Tue, 29 Feb 2028 17:30:00 GMT' }, 330],
  ['of a leap day that is none', { date: 'Mon, 29 Feb 2027 12:00:00 GMT' }, -365 * 1440],
  ['without a zone', { date: 'Tue Feb 29 17:30:00 2028' }, undefined],
  ['a number', { date: '1834401600' }, undefined],
  ['no date', { date: 'Tue, soon GMT' }, undefined],
  ['of a cache that keeps it, and its age', { date: 'Mon, 28 Feb 2028 12:00:00 GMT', age: '86400' }, 0],
  ['of a cache that writes its own, and an age', { date: 'Tue, 29 Feb 2028 12:00:00 GMT', age: '86400' }, 0],
  ['with an age that is none', { date: 'Mon, 28 Feb 2028 12:00:00 GMT', age: 'old' }, -1440],
  ['twice', { date: ['Tue, 29 Feb 2028 12:01:00 GMT', 'x'] }, 1],
])('a Date: %s', (_, headers, minutes) => {
  expect(minutesAhead(headers, NOW)).toBe(minutes);
});

it('of the Dates of many answers the nearest counts', () => {
  const all = [undefined, 600, -3, undefined, 4];
  expect(all.reduce(nearer)).toBe(-3);
});
