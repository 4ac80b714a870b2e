import { expect, it } from 'vitest';
import type { Lake } from '#lib/lake/lake.ts';
import { purge } from '#lib/repair/purge/purge.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { openWorld, type World } from '../model/world.ts';
import { exportOnce } from '../support/runs.ts';

const HOUR_MS = 3_600_000;
const configOf = (world: World, more: object = {}, sources = ['a', 'b']) =>
  world.config({ name: 'cut', minCoverage: 0, sources: sources.map((name) => ({ name })), ...more });
type Config = ReturnType<typeof configOf>;

const say = (world: World, source: string, value: string | 'failed') =>
  world.answers.set(source, {
    players: value === 'failed' ? value : new Map([['1', { Id: '1', V: value }]]),
    screens: new Map(),
  });

async function run(world: World, config: Config, hours = 24): Promise<void> {
  world.now = new Date(world.now.getTime() + hours * HOUR_MS);
  await world.step(undefined, (services) => exportOnce({ ...services, config }));
}

/** A lake whose process dies when the head has been put, or before. */
function dyingAtHead(lake: Lake, isPut: boolean): Lake {
  return {
    ...lake,
    write: async (key, bytes, condition) => {
      if (key !== 'state/head.json') return await lake.write(key, bytes, condition);
      if (isPut) await lake.write(key, bytes, condition);
      throw new Error('the process died');
    },
  };
}

it('a rebuild has the raw answers of one run at a time on its disk', async () => {
  await using world = await openWorld(new Date('2026-03-01T03:00:00Z'));
  const config = configOf(world);
  for (const value of ['1', '2', '3']) {
    for (const source of ['a', 'b']) say(world, source, value);
    await run(world, config);
  }
  const copied = new Set<string>();
  const runsAtOnce: number[] = [];
  await world.step(undefined, async ({ lake, ...services }) => {
    const copying: Lake = {
      ...lake,
      localPaths: async (keys) => {
        for (const key of keys.filter((each) => each.startsWith('raw/'))) copied.add(key);
        runsAtOnce.push(new Set([...copied].map((key) => key.split('/')[1])).size);
        return await lake.localPaths(keys);
      },
      copies: {
        room: async () => Number.MAX_SAFE_INTEGER,
        drop: async (keys) => {
          for (const key of keys) copied.delete(key);
        },
      },
    };
    await rebuild('2026-03-01', { ...services, lake: copying, config });
  });
  expect(runsAtOnce).not.toHaveLength(0);
  expect(Math.max(...runsAtOnce)).toBe(1);
  expect([...copied]).toEqual([]);
});

it('a purge that is cut off after its commit can be done again, though raw is gone, and no rollback undoes it', async () => {
  await using world = await openWorld(new Date('2026-03-01T03:00:00Z'));
  const config = configOf(world, { rawRetentionDays: 0 });
  for (const value of ['1', '2']) {
    for (const source of ['a', 'b']) say(world, source, value);
    await run(world, config);
  }
  const purging = world.step(undefined, (services) =>
    purge('b', { ...services, lake: dyingAtHead(services.lake, true), config }),
  );
  await expect(purging).rejects.toThrow('the process died');
  await world.step(undefined, (services) => purge('b', { ...services, config }));
  const back = world.step(undefined, (services) => rollback('20260302T030000Z', { ...services, config }));
  await expect(back).rejects.toThrow('cannot be rolled back to');
  expect((await world.rows('players')).map((row) => row.export_source)).toEqual(['a']);
});
