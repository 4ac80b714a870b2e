import { describe, expect, it } from 'vitest';
import { drawn, isAll } from '../support/drawn.ts';
import { timedRun } from '../support/timed-run.ts';
import { type Asked, CALM as CALM_WORLD, type Refused, type World } from '../support/timed-world.ts';

const BERLIN = { name: 'berlin', rate: 20, concurrency: 8 };
const CALM = { ...CALM_WORLD, players: 30, sources: [BERLIN], latencyMs: 20 };

const HOUR = 3_600_000;
const MINUTES = 60_000;
type Place = World['place'];
const PLACES: readonly Place[] = ['laptop', 'lambdas'];

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

const isOnePlayers = ({ item }: Asked) => item === 'Players/3/Screens';
const isOfScreens = ({ item }: Asked) => item.endsWith('Screens');

describe('a Retry-After', () => {
  const waits: readonly (readonly [string, Place, Waiting])[] = [
    ['one player, 20 minutes,', 'laptop', { tells: isOnePlayers, wait: 20 * MINUTES }],
    ['one player, 2 minutes, twice,', 'lambdas', { tells: isOnePlayers, wait: 2 * MINUTES, times: 2 }],
    ['all screens, between other listings,', 'lambdas', { tells: isOfScreens, wait: 20 * MINUTES }],
    ['everybody', 'laptop', { tells: ({ item }) => item.includes('/'), wait: 2 * MINUTES }],
    ['the listing of players', 'laptop', { tells: ({ item }) => item === 'Players', wait: 20 * MINUTES }],
  ];
  it.each(drawn(waits))('to %s on %s: nothing is lost or asked for too early', async (_, place, waiting) => {
    const server = telling(waiting);
    const { summary } = await timedRun(1, { ...CALM, place, refusal: server.refusal });
    expect(server.told.size).toBeGreaterThan(0);
    expect(server.early).toEqual([]);
    expect(summary.sources[0]?.error).toBeUndefined();
    expect(summary.sources[0]).toMatchObject({ status: 'complete', outcomes: { failed: 0 } });
  });

  it.each<readonly [string, Place, number, number]>([
    ['two days', 'laptop', 48 * HOUR, 9],
    ['five hours for itself alone', 'lambdas', 5 * HOUR, 9],
    ['20 minutes each time', 'laptop', 20 * MINUTES, 100],
  ])('to one player that asks for %s on %s fails it alone, with the time', async (_, place, wait, times) => {
    const server = telling({ tells: isOnePlayers, wait, times });
    const { summary, heard } = await timedRun(1, { ...CALM, place, refusal: server.refusal });
    // A run that does not wait so long tries it in two more passes.
    expect(server.early.length).toBeLessThanOrEqual(wait > HOUR ? 2 : 0);
    const error = { code: 'RATE_LIMITED', message: expect.stringMatching(/until 2026-11-2\dT[\d:]{8}Z/) };
    expect(summary.sources[0]).toMatchObject({ outcomes: { failed: 1 }, error });
    expect(heard.get('berlin')?.calls.at(-1)).toBeLessThan(2 * HOUR);
  });

  it.each(PLACES)('loses nothing by kills and restarts on %s', async (place) => {
    const isTold = ({ item }: Asked) => Number(item.split('/')[1]) % 3 === 0;
    const server = telling({ tells: (asked) => isOfScreens(asked) && isTold(asked), wait: 20 * MINUTES });
    const { summary } = await timedRun(place === 'laptop' ? 1 : 3, {
      ...{ ...CALM, place, refusal: server.refusal },
      kills: { part: 0.3, withinMs: 3000 },
      restarts: { count: 3, withinMs: 10_000 },
    });
    expect(summary.sources[0]).toMatchObject({ status: 'complete', outcomes: { failed: 0 } });
    // A kill takes the answers of its batch, which is then requested again: here three restarts and two kills of a Lambda.
    const ofEach = Map.groupBy(server.early, ({ item }) => item);
    const times = [...ofEach.values()].map((early) => early.length);
    expect(Math.max(0, ...times)).toBeLessThanOrEqual(3 + 2);
  });

  it('of 999999999999999999 from everybody ends the source, in words', async () => {
    const retryAfter = '999999999999999999';
    const refusal = ({ item }: Asked) => (item.includes('/') ? { status: 429, retryAfter } : undefined);
    const { summary } = await timedRun(1, { ...CALM, place: 'laptop', refusal });
    expect(summary.sources[0]?.outcomes.ok).toBeGreaterThan(0);
    expect(summary.sources[0]?.error).toMatchObject({
      code: expect.stringMatching(/^(RATE_LIMITED|NOT_COLLECTED)$/),
      message: expect.stringMatching(/wait until \d{4}-11-/),
    });
  });
});

describe('a source that refuses what is below its players', () => {
  /** A run of which berlin refuses what is below players, as told; munich answers all. */
  const refusing = (place: Place, refused: (asked: Asked) => Refused | undefined) =>
    timedRun(1, {
      ...{ ...CALM, place, players: 100 },
      sources: [...CALM.sources, { name: 'munich', rate: 20, concurrency: 8 }],
      refusal: (each) => (each.source === 'berlin' && each.item.includes('/') ? refused(each) : undefined),
    });
  const WHOLE = { status: 'complete', outcomes: { failed: 0 } };

  it.each(PLACES)('for ever, on %s: it is asked for nothing more after an hour', async (place) => {
    const { summary, heard } = await refusing(place, () => ({ status: 429 }));
    const [berlin, munich] = summary.sources;
    expect(heard.get('berlin')?.calls.at(-1)).toBeGreaterThan(HOUR);
    // By the order of its calls, one more pass may have begun before the hour was over.
    expect(heard.get('berlin')?.calls.at(-1)).toBeLessThan(1.5 * HOUR);
    expect([berlin, munich]).toMatchObject([{ status: 'failed', outcomes: { failed: 200 } }, WHOLE]);
    expect(berlin?.error?.code).toMatch(/^(SOURCE_SILENT|RATE_LIMITED)$/);
  });

  // Short and long waits, of all and of some.
  it.each<readonly [number, number, Place]>([
    [50, 1, 'laptop'],
    [36_000, 1, 'lambdas'],
    ...(isAll ? [[1200, 10, 'lambdas'] as const] : []),
  ])('with a wait of %d s, for one of %d, on %s: nobody waits for hours', async (wait, every, place) => {
    const isRefused = (item: string) => Number(item.match(/\d+/)?.[0]) % every === 0;
    const told = { status: 429, retryAfter: String(wait) };
    const { summary, heard } = await refusing(place, ({ item }) => (isRefused(item) ? told : undefined));
    const asked = heard.get('berlin')?.items ?? [];
    const answered = asked.filter(({ item }) => !item.includes('/') || !isRefused(item));
    const [lastAsked = 0, lastAnswered = 0] = [asked, answered].map((calls) => calls.at(-1)?.at ?? 0);
    // Calls that hold their places for 50 s decide by their order when the others have their turn.
    expect(lastAnswered).toBeLessThan(1.75 * HOUR);
    expect(lastAsked - lastAnswered).toBeLessThan(2.25 * HOUR);
    const [berlin, munich] = summary.sources;
    expect([berlin, munich]).toMatchObject([{ outcomes: { failed: 200 / every } }, WHOLE]);
    expect(berlin?.error?.code).toMatch(/^(SOURCE_SILENT|RATE_LIMITED|NOT_COLLECTED)$/);
  });

  it('when its quota of the hour is used up, and says until when: it is whole, however many hours that takes', async () => {
    const used = new Map<number, number>();
    const { summary, heard } = await refusing('lambdas', ({ at }) => {
      const hour = Math.floor(at / HOUR);
      used.set(hour, (used.get(hour) ?? 0) + 1);
      const retryAfter = String(Math.ceil(((hour + 1) * HOUR - at) / 1000));
      return (used.get(hour) ?? 0) > 50 ? { status: 429, retryAfter } : undefined;
    });
    expect(heard.get('berlin')?.calls.at(-1)).toBeGreaterThan(3 * HOUR);
    expect(summary.sources).toMatchObject([WHOLE, WHOLE]);
  });
});
