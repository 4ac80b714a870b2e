import { describe, expect, it } from 'vitest';
import { drawn, isAll } from '../support/drawn.ts';
import { timedRun } from '../support/timed-run.ts';
import type { Asked, Refused, World } from '../support/timed-world.ts';

const CALM = {
  players: 30,
  sources: [{ name: 'berlin', rate: 20, concurrency: 8 }],
  kills: { part: 0, withinMs: 0 },
  restarts: { count: 0, withinMs: 0 },
  faults: { throttled: 0, broken: 0, keyChanges: 0 },
  latencyMs: 20,
  secretMs: 0,
} as const satisfies Omit<World, 'place'>;

const HOUR = 3_600_000;

interface Waiting {
  /** Which items are told to wait. */
  readonly tells: (asked: Asked) => boolean;
  /** ms of the wait. */
  readonly wait: number;
  /** How often each is told so. */
  readonly times?: number;
}

/** A server that tells some items to wait; `early` has the calls that came before the time. */
function telling({ tells, wait, times = 1 }: Waiting) {
  const until = new Map<string, number>();
  const told = new Map<string, number>();
  const early: Asked[] = [];
  const refusal = (asked: Asked): Refused | undefined => {
    const { item, at } = asked;
    if (at < (until.get(item) ?? 0)) early.push(asked);
    const count = told.get(item) ?? 0;
    if (!tells(asked) || count >= times) return undefined;
    told.set(item, count + 1);
    until.set(item, at + wait);
    return { status: 429, retryAfter: String(wait / 1000) };
  };
  return { refusal, early, told };
}

const isScreensOf = (...ids: readonly number[]) => {
  const items = new Set(ids.map((id) => `Players/${id}/Screens`));
  return ({ item }: Asked) => items.has(item);
};

const WAITS: readonly (Waiting & { readonly what: string })[] = [
  { what: 'one player, 20 minutes', tells: isScreensOf(3), wait: 1_200_000 },
  { what: 'one player, 2 minutes, twice', tells: isScreensOf(3), wait: 120_000, times: 2 },
  {
    what: 'all screens, between other listings',
    tells: ({ item }) => item.endsWith('Screens'),
    wait: 1_200_000,
  },
  { what: 'everybody, each for itself', tells: ({ item }) => item.includes('/'), wait: 120_000 },
  { what: 'the listing of players', tells: ({ item }) => item === 'Players', wait: 1_200_000 },
];

describe.each(['laptop', 'lambdas'] as const)('a Retry-After in a run on %s', (place) => {
  // Each wait is told in one of the two places, in turn.
  it.each(drawn(WAITS.filter((_, index) => isAll || (index % 2 === 0) === (place === 'laptop'))))(
    '$what: nothing is lost, and nothing asked for before its time',
    async ({ what: _, ...waiting }) => {
      const server = telling(waiting);
      const { summary } = await timedRun(1, { ...CALM, place, refusal: server.refusal });
      expect(server.told.size).toBeGreaterThan(0);
      expect(server.early).toEqual([]);
      expect(summary.sources[0]?.error).toBeUndefined();
      expect(summary.sources[0]).toMatchObject({ status: 'complete', outcomes: { failed: 0 } });
    },
  );

  it.each(
    [
      { what: 'two days', wait: 48 * HOUR, times: 9, on: 'laptop' },
      { what: 'five hours for itself alone', wait: 5 * HOUR, times: 9, on: 'lambdas' },
      { what: '20 minutes each time', wait: 1_200_000, times: 100, on: 'laptop' },
    ].filter(({ on }) => isAll || on === place),
  )('one player that asks for $what is failed alone, with the time', async ({ wait, times }) => {
    const server = telling({ tells: isScreensOf(3), wait, times });
    const { summary, heard } = await timedRun(1, { ...CALM, place, refusal: server.refusal });
    // A run that does not wait so long tries it in two more passes.
    expect(server.early.length).toBeLessThanOrEqual(wait > HOUR ? 2 : 0);
    expect(summary.sources[0]?.outcomes.failed).toBe(1);
    expect(summary.sources[0]?.error).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/until 2026-11-2\dT\d\d:\d\d:\d\dZ/),
    });
    expect(heard.get('berlin')?.calls.at(-1)).toBeLessThan(2 * HOUR);
  });

  it.each([place === 'laptop' ? 1 : 3])('loses nothing by kills and restarts: seed %i', async (seed) => {
    const server = telling({
      tells: ({ item }) => item.endsWith('Screens') && Number(item.split('/')[1]) % 3 === 0,
      wait: 1_200_000,
    });
    const { summary } = await timedRun(seed, {
      ...CALM,
      place,
      refusal: server.refusal,
      kills: { part: 0.3, withinMs: 3000 },
      restarts: { count: 3, withinMs: 10_000 },
    });
    expect(summary.sources[0]?.outcomes.failed).toBe(0);
    expect(summary.sources[0]?.status).toBe('complete');
    // A kill takes the answers of its batch, which is then requested again: here three restarts and two kills of a Lambda.
    const ofEach = Map.groupBy(server.early, ({ item }) => item);
    const times = [...ofEach.values()].map((early) => early.length);
    expect(Math.max(0, ...times)).toBeLessThanOrEqual(3 + 2);
  });
});

it.each(['999999999999999999'])(
  'a Retry-After of %s from everybody ends the source, in words',
  async (retryAfter) => {
    const refusal = ({ item }: Asked) => (item.includes('/') ? { status: 429, retryAfter } : undefined);
    const { summary } = await timedRun(1, { ...CALM, place: 'laptop', refusal });
    expect(summary.sources[0]?.outcomes.ok).toBeGreaterThan(0);
    expect(summary.sources[0]?.error).toMatchObject({
      code: expect.stringMatching(/^(RATE_LIMITED|NOT_COLLECTED)$/),
      message: expect.stringMatching(/wait until \d{4}-11-/),
    });
  },
);

describe.each(['laptop', 'lambdas'] as const)(
  'a source that refuses without a word of when, on %s',
  (place) => {
    const SOURCES = [...CALM.sources, { name: 'munich', rate: 20, concurrency: 8 }];
    /** Everything below the players of berlin is refused until that time. */
    const refusedUntil = (end: number) => ({
      ...CALM,
      place,
      players: 100,
      sources: SOURCES,
      refusal: ({ source, item, at }: Asked) =>
        source === 'berlin' && item.includes('/') && at < end ? { status: 429 } : undefined,
    });

    const onLambdas = it.runIf(isAll || place === 'lambdas');

    it('for ever: it is asked for nothing more after an hour, and the other source is whole', async () => {
      const { summary, heard } = await timedRun(1, refusedUntil(Number.POSITIVE_INFINITY));
      const [berlin, munich] = summary.sources;
      expect(heard.get('berlin')?.calls.at(-1)).toBeGreaterThan(HOUR);
      // By the order of its calls, one more pass may have begun before the hour was over.
      expect(heard.get('berlin')?.calls.at(-1)).toBeLessThan(1.5 * HOUR);
      expect(munich).toMatchObject({ status: 'complete', outcomes: { failed: 0 } });
      expect(berlin).toMatchObject({ status: 'failed', outcomes: { failed: 200 } });
      expect(berlin?.error?.code).toMatch(/^(SOURCE_SILENT|RATE_LIMITED)$/);
    });

    it.each(
      drawn(
        [
          // Short and long waits, of all and of some: each of them on one of the two places.
          { wait: 50, every: 1, on: 'laptop' },
          { wait: 36_000, every: 1, on: 'lambdas' },
          { wait: 1200, every: 10, on: 'lambdas' },
        ].filter(({ on }) => isAll || on === place),
      ),
    )('and says each time to wait $wait s, for one of $every: nobody waits for hours', async (refused) => {
      const retryAfter = String(refused.wait);
      const isRefused = (item: string) => Number(item.match(/\d+/)?.[0]) % refused.every === 0;
      const { summary, heard } = await timedRun(1, {
        ...refusedUntil(0),
        refusal: ({ source, item }) =>
          source === 'berlin' && item.includes('/') && isRefused(item)
            ? { status: 429, retryAfter }
            : undefined,
      });
      const asked = heard.get('berlin')?.items ?? [];
      const answered = asked.filter(({ item }) => !item.includes('/') || !isRefused(item));
      const [lastAsked, lastAnswered] = [asked, answered].map((calls) => calls.at(-1)?.at ?? 0);
      // Calls that hold their places for 50 s decide by their order when the others have their turn.
      expect(lastAnswered).toBeLessThan(1.75 * HOUR);
      expect((lastAsked ?? 0) - (lastAnswered ?? 0)).toBeLessThan(2.25 * HOUR);
      const [berlin, munich] = summary.sources;
      expect(munich).toMatchObject({ status: 'complete', outcomes: { failed: 0 } });
      expect(berlin).toMatchObject({ outcomes: { failed: 200 / refused.every } });
      expect(berlin?.error?.code).toMatch(/^(SOURCE_SILENT|RATE_LIMITED|NOT_COLLECTED)$/);
    });

    onLambdas(
      'when its quota of the hour is used up, and says until when: it is whole, however many hours that takes',
      async () => {
        const used = new Map<number, number>();
        const { summary, heard } = await timedRun(1, {
          ...refusedUntil(0),
          refusal: ({ source, item, at }) => {
            if (source !== 'berlin' || !item.includes('/')) return undefined;
            const hour = Math.floor(at / HOUR);
            used.set(hour, (used.get(hour) ?? 0) + 1);
            const retryAfter = String(Math.ceil(((hour + 1) * HOUR - at) / 1000));
            return (used.get(hour) ?? 0) > 50 ? { status: 429, retryAfter } : undefined;
          },
        });
        expect(heard.get('berlin')?.calls.at(-1)).toBeGreaterThan(3 * HOUR);
        expect(summary.sources.map(({ status }) => status)).toEqual(['complete', 'complete']);
      },
    );
  },
);
