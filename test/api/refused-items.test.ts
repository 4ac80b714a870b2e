import { describe, expect, it } from 'vitest';
import { type CallEnd, createLimiter } from '#lib/api/call/limiter.ts';
import { createChance } from '../support/chance.ts';
import { virtualTime } from '../support/virtual-time.ts';

const MINUTE = 60_000;
const TRIES = 5;
const CALLERS = 10;
const LATENCY_MS = 20;

/** A server, which says of each call for an item whether it is refused, or fails otherwise. */
type Server = (item: number, at: number) => boolean | 'broken';

interface Asking {
  readonly items: number;
  readonly seed: number;
  readonly retryAfterMs?: number | null;
}

/** Requests each of so many items, in up to five tries, as collect does. `calls` says when each began. */
async function askAll(server: Server, { items, seed, retryAfterMs = null }: Asking) {
  await using clock = virtualTime(new Date(0), () => false);
  const chance = createChance(seed);
  const patience = () => Number.POSITIVE_INFINITY;
  const limiter = createLimiter({ concurrency: 8, requestsPerSecond: 20, clock, patience });
  const calls: number[] = [];
  // Items that had no answer in any try.
  const without: number[] = [];
  let refused = 0;
  let next = 0;
  const ask = async (item: number): Promise<void> => {
    let before: 'refused' | 'broken' | undefined;
    for (let tried = 0; tried < TRIES; tried += 1) {
      const place = await limiter.enter(tried === 0 ? 'new' : before === 'refused' ? 'refused' : 'again');
      const at = clock.monotonic();
      calls.push(at);
      const says = server(item, at);
      const isRefused = says === true;
      await clock.sleep(LATENCY_MS * (0.5 + chance.number()));
      const end: CallEnd = isRefused ? { kind: 'throttled', retryAfterMs } : { kind: 'answered' };
      place.leave(end);
      if (says === false) return;
      before = isRefused ? 'refused' : 'broken';
      if (isRefused) refused += 1;
      await clock.sleep((isRefused ? retryAfterMs : null) ?? 1000 * 2 ** tried * chance.number());
    }
    without.push(item);
  };
  const caller = async (): Promise<void> => {
    while (next < items) await ask(next++);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return { calls, refused, without };
}

/** Has so many calls a second for all, and so many at once. */
function bucket(perSecond: number, burst: number): Server {
  let tokens = burst;
  let before = 0;
  return (_, at) => {
    tokens = Math.min(burst, tokens + ((at - before) / 1000) * perSecond);
    before = at;
    if (tokens < 1) return true;
    tokens -= 1;
    return false;
  };
}

const both =
  (one: Server, other: Server): Server =>
  (item, at) =>
    one(item, at) || other(item, at);

const partOf = (percent: number) => (item: number) => (item * 7919) % 100 < percent;

describe('a server that refuses by the pace is obeyed', () => {
  const drawn = Array.from({ length: 12 }, (_, seed) => {
    const chance = createChance(seed);
    return { seed, perSecond: chance.oneOf([0.5, 1, 3, 8]), burst: chance.oneOf([1, 5, 20, 100]) };
  });

  it.each(drawn)('$perSecond a second, $burst at once, seed $seed', async ({ seed, perSecond, burst }) => {
    const { refused, calls, without } = await askAll(bucket(perSecond, burst), { items: 600, seed });
    expect(without).toEqual([]);
    expect(refused / calls.length).toBeLessThan(0.2);
  });

  const waiting = drawn.flatMap((each) => [null, 2000].map((retryAfterMs) => ({ ...each, retryAfterMs })));
  it.each(waiting)('beside items that it refuses for ever: %j', async ({ perSecond, burst, ...asking }) => {
    const isRefused = partOf(20);
    const server = both(isRefused, bucket(perSecond, burst));
    const { without } = await askAll(server, { items: 600, ...asking });
    // A sweep asks for it again.
    expect(without.filter((item) => !isRefused(item)).length).toBeLessThanOrEqual(2);
  });

  it('that has nothing left until the next hour: few calls come until then', async () => {
    const closed: Server = (_, at) => at > MINUTE && at < 60 * MINUTE;
    const asked = await askAll(both(partOf(10), closed), { items: 2400, seed: 3 });
    expect(asked.calls.filter((at) => at > 10 * MINUTE && at < 60 * MINUTE).length).toBeLessThan(150);
  });
});
