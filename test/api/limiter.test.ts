import { describe, expect, test } from 'vitest';
import { type CallEnd, createLimiter, type LimiterOptions } from '#lib/api/call/limiter.ts';

const FOR_EVER = () => Number.POSITIVE_INFINITY;
const ANSWERED: CallEnd = { kind: 'answered' };
const THROTTLED: CallEnd = { kind: 'throttled', retryAfterMs: null };

/** So many calls at once, and any number a second. */
const atOnce = (concurrency: number) => ({ concurrency, requestsPerSecond: null });

/** Sleepers wake in order; `late` is how late a timer is. */
function fakeClock(late: () => number = () => 0) {
  let now = 0;
  const sleepers: Array<{ at: number; wake: () => void }> = [];
  return {
    monotonic: () => now,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms + late(), wake })),
    /** Lets time pass until nothing sleeps any more, or so many milliseconds are over. */
    async run(ms = Number.POSITIVE_INFINITY) {
      const until = now + ms;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        sleepers.sort((a, b) => a.at - b.at);
        if (sleepers[0] === undefined || sleepers[0].at > until) break;
        const next = sleepers.shift();
        now = Math.max(now, next?.at ?? now);
        next?.wake();
      }
      if (Number.isFinite(until)) now = until;
    },
  };
}

interface Calls {
  readonly count: number;
  readonly ms: number;
  readonly late?: () => number;
  readonly end?: (index: number, at: number) => CallEnd;
}

/** Makes so many calls, each of so many milliseconds. Says when each began, and how many ran at once at most. */
async function load(options: Omit<LimiterOptions, 'clock' | 'patience'>, calls: Calls) {
  const clock = fakeClock(calls.late);
  const limiter = createLimiter({ ...options, clock, patience: FOR_EVER });
  const starts: number[] = [];
  let inFlight = 0;
  let most = 0;
  const all = Promise.all(
    Array.from({ length: calls.count }, async (_, index) => {
      const place = await limiter.enter();
      starts.push(clock.monotonic());
      const end = calls.end?.(index, clock.monotonic()) ?? ANSWERED;
      inFlight += 1;
      most = Math.max(most, inFlight);
      await clock.sleep(calls.ms);
      inFlight -= 1;
      place.leave(end);
    }),
  );
  await clock.run();
  await all;
  return { starts, most };
}

/** The most calls that begin within any 10 s, both ends included. */
function mostIn10s(starts: readonly number[]): number {
  let from = 0;
  return starts.reduce((most, start, index) => {
    while ((starts[from] ?? 0) < start - 10_000) from += 1;
    return Math.max(most, index - from + 1);
  }, 0);
}

describe('in any 10 s there are at most 10 × rate + 1 calls', () => {
  for (const rate of [0.1, 0.5, 1, 7, 20, 150]) {
    test(`${rate} a second, timers up to 40 ms late`, async () => {
      let lateness = 0;
      const late = () => (lateness = (lateness * 7 + 13) % 41);
      const count = Math.ceil(rate * 35) + 3;
      const { starts } = await load({ concurrency: 64, requestsPerSecond: rate }, { count, ms: 20, late });
      expect(mostIn10s(starts)).toBeLessThanOrEqual(Math.floor(10 * rate) + 1);
    });
  }

  test('and the rate is used: 35 s hold 98 % of 35 × rate', async () => {
    const late = () => 3;
    const { starts } = await load({ concurrency: 64, requestsPerSecond: 20 }, { count: 700, ms: 20, late });
    expect(starts.at(-1)).toBeLessThan(35_000 * 1.02);
  });
});

describe('concurrency', () => {
  test('is never passed and used in full from the start', async () => {
    const { starts, most } = await load(atOnce(50), { count: 1000, ms: 20 });
    expect(most).toBe(50);
    expect(starts.filter((start) => start === 0)).toHaveLength(50);
    expect(starts.at(-1)).toBe((1000 / 50 - 1) * 20);
  });

  test('429 halves it and the rate, once for all that were under way', async () => {
    const end = (index: number) => (index < 16 ? THROTTLED : ANSWERED);
    const { starts } = await load(atOnce(16), { count: 90, ms: 100, end });
    const within = (from: number, to: number) => starts.filter((start) => start >= from && start < to).length;
    // 16 calls in 100 ms were too many: 8 at once, and 8 in 100 ms, of which 50 ms may be caught up.
    expect(within(100, 200)).toBe(8);
    expect(within(200, 300)).toBeLessThanOrEqual(11);
  });

  test('answers that come take both back', async () => {
    const end = (index: number) => (index === 0 ? THROTTLED : ANSWERED);
    const { starts } = await load(atOnce(8), { count: 1000, ms: 100, end });
    const last = starts.at(-1) ?? 0;
    expect(starts.filter((start) => start > last - 1000).length).toBeGreaterThan(75);
  });
});

test.each([0.5, 1, 3, 8])(
  'less than a fifth is refused by a server that has %d a second',
  async (perSecond) => {
    let [tokens, before, refused] = [5, 0, 0];
    const end = (_: number, at: number) => {
      tokens = Math.min(5, tokens + ((at - before) / 1000) * perSecond);
      before = at;
      const isRefused = tokens < 1;
      tokens -= isRefused ? 0 : 1;
      refused += isRefused ? 1 : 0;
      return isRefused ? THROTTLED : ANSWERED;
    };
    await load({ concurrency: 8, requestsPerSecond: 20 }, { count: 300, ms: 20, end });
    expect(refused / 300).toBeLessThan(0.2);
  },
);

describe('pauses', () => {
  test('Retry-After holds back every call', async () => {
    const told: CallEnd = { kind: 'throttled', retryAfterMs: 7000 };
    const end = (index: number) => (index === 0 ? told : ANSWERED);
    const { starts } = await load(atOnce(2), { count: 4, ms: 10, end });
    expect(starts).toEqual([0, 0, 7010, 7020]);
  });

  test('from the second 429 in a row without it they double: 1, 2, 4 … 30 s', async () => {
    const { starts } = await load(atOnce(1), { count: 8, ms: 0, end: () => THROTTLED });
    const pauses = starts.map((start, index) => start - (starts[index - 1] ?? 0));
    expect(pauses).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000]);
  });
});

test('closing refuses those who wait', async () => {
  const clock = fakeClock();
  const limiter = createLimiter({ ...atOnce(1), clock, patience: FOR_EVER });
  await limiter.enter();
  const waiting = limiter.enter();
  limiter.close();
  await expect(waiting).rejects.toThrow('closed');
  await expect(limiter.enter()).rejects.toThrow('closed');
});

describe('whoever would wait longer than there is time is told at once', () => {
  test('because the server asks for it', async () => {
    const clock = fakeClock();
    const limiter = createLimiter({ concurrency: 2, requestsPerSecond: null, clock, patience: () => 60_000 });
    for (let answer = 1; answer <= 3; answer++)
      (await limiter.enter()).leave({ kind: 'throttled', retryAfterMs: 61_000 });
    await expect(limiter.enter()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('because of the rate, and has a place again when the wait is over', async () => {
    const clock = fakeClock();
    const limiter = createLimiter({ concurrency: 1, requestsPerSecond: 0.1, clock, patience: () => 5000 });
    (await limiter.enter()).leave(ANSWERED);
    await expect(limiter.enter()).rejects.toMatchObject({ code: 'OUT_OF_TIME' });
    await clock.run(20_000);
    (await limiter.enter()).leave(ANSWERED);
  });
});

test('503 without Retry-After halves the window and pauses nobody', async () => {
  const overloaded: CallEnd = { kind: 'overloaded', retryAfterMs: null };
  const end = (index: number) => (index < 4 ? overloaded : ANSWERED);
  const { starts } = await load(atOnce(4), { count: 8, ms: 10, end });
  expect(starts).toEqual([0, 0, 0, 0, 10, 10, 20, 20]);
});

test('urgent calls pass a hold, then come those that were sent before', async () => {
  const limiter = createLimiter({ ...atOnce(1), clock: fakeClock(), patience: FOR_EVER });
  const order: string[] = [];
  const place = await limiter.enter();
  const release = limiter.hold();
  const enter = (turn: 'urgent' | 'again' | 'refused' | 'new') =>
    limiter.enter(turn).then(({ leave }) => {
      order.push(turn);
      leave(ANSWERED);
    });
  const all = [enter('new'), enter('refused'), enter('again'), enter('urgent')];
  place.leave(ANSWERED);
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(['urgent']);
  release();
  await Promise.all(all);
  expect(order).toEqual(['urgent', 'again', 'refused', 'new']);
});
