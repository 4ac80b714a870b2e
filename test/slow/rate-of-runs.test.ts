import { describe, expect, it } from 'vitest';
import { createChance } from '../support/chance.ts';
import { crowdedWindows } from '../support/crowded-windows.ts';
import { timedRun } from '../support/timed-run.ts';
import type { World } from '../support/timed-world.ts';

/** RATE_SEED draws others. */
const SEED = Number(process.env['RATE_SEED'] ?? 1);
const SEEDS = Number(process.env['RATE_SEEDS'] ?? 4);

/** Players, calls a second, calls at once: for several batches. At no such number a server cuts its listings. */
const SIZES = [
  [151, 1, 8],
  [503, 1.6, 1000],
  [203, 2, 200],
  [307, 5, 64],
  [603, 20, 300],
  [43, 0.3, 1],
  [151, 3, 64],
] as const;

function worldOf(seed: number): World {
  const chance = createChance(seed);
  const upTo = (most: number) => chance.number() * most;
  const [players = 0, rate = 0, concurrency = 0] = SIZES[seed % SIZES.length] ?? [];
  return {
    place: seed % 3 === 0 ? 'laptop' : 'lambdas',
    players,
    sources: [
      { name: 'berlin', rate, concurrency },
      { name: 'paris', rate: rate * 2, concurrency: 8 },
    ],
    kills: { part: chance.oneOf([0, 0.3, 0.6]), withinMs: upTo(60_000) },
    restarts: { count: chance.oneOf([0, 1, 3, 6]), withinMs: upTo(chance.oneOf([8000, 60_000])) },
    faults: {
      throttled: chance.oneOf([0, 0.01, 0.05]),
      broken: chance.oneOf([0, 0.03]),
      keyChanges: chance.oneOf([0, 0.002]),
    },
    latencyMs: upTo(2000),
    secretMs: chance.oneOf([0, 3000, 9000]),
  };
}

describe('over a whole run, in any 10 s a server has at most 10 × rate + 1 calls, and one more for each restart', () => {
  let whole = 0;
  it.each(Array.from({ length: SEEDS }, (_, index) => SEED + index))(
    'seed %i',
    async (seed) => {
      const world = worldOf(seed);
      const about = `seed ${seed}: ${JSON.stringify(world)}`;
      const { summary, heard } = await timedRun(seed, world);
      expect(summary.sources, about).toMatchObject([{ name: 'berlin' }, { name: 'paris' }]);
      for (const { name, rate } of world.sources) {
        const { calls, restarts } = heard.get(name) ?? { calls: [], restarts: [] };
        if (calls.length > world.players) whole += 1;
        expect.soft(crowdedWindows(calls, { rate, restarts }), `${name}, ${about}`).toEqual([]);
      }
    },
    300_000,
  );

  // A list that is killed in each of its tries ends its source.
  it('most sources were asked for all their players', () => {
    expect(whole).toBeGreaterThan(SEEDS);
  });
});
