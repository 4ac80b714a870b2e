import { expect, it } from 'vitest';
import { signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';

const DAY = '2026-11-20T03:00:00Z';
const screensOf = (counts: readonly number[]) =>
  fleetRoutes(
    counts.map((_, Id) => ({ Id })),
    (Of) => Array.from({ length: counts[Of] ?? 0 }, (_, Id) => ({ Id, IsOn: true, Of })),
  );
const NEXT_DAY = '2026-11-21T03:00:00Z';

it.each([
  ['all screens of a large player are gone with 200', [30, 2, 2], [0, 2, 2], 34],
  ['most of them', [30, 2, 2], [12, 2, 2], 34],
  ['a few of every player, together most', Array(8).fill(2), Array(8).fill(0), 16],
])('nobody is retired where %s', async (_, before, after, kept) => {
  await using lab = await signageLab(screensOf(before));
  await lab.run(DAY);
  const { sources } = await lab.run(NEXT_DAY, screensOf(after));
  expect(sources[0]).toMatchObject({ error: { code: 'LISTING_SHRANK' } });
  expect(await lab.rows("select count(*) n from changes where change = 'removed'")).toEqual([{ n: 0 }]);
  expect(await lab.rows('select count(*) n from screens')).toEqual([{ n: kept }]);
});

it('a player that loses its two screens among others loses them', async () => {
  await using lab = await signageLab(screensOf([2, 2, 2, 2, 2, 2]));
  await lab.run(DAY);
  const { status } = await lab.run(NEXT_DAY, screensOf([0, 2, 2, 2, 2, 2]));
  expect(status).toBe('complete');
  expect(await lab.rows('select count(*) n from screens')).toEqual([{ n: 10 }]);
});
