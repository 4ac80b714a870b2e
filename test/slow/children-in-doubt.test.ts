import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';

const players = (count: number) => Array.from({ length: count }, (_, index) => ({ Id: index + 1 }));
const screens = (player: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ Id: player * 100 + index, player_id: player, IsOn: true }));
/** Players with so many screens each. */
const world = (counts: readonly number[], of = screens): Routes =>
  fleetRoutes(players(counts.length), (id, index) => of(id, counts[index] ?? 0));
const complete = { signage: { resources: { screens: { complete: true } } } };
const [FIRST, SECOND] = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;

it('the same children for every parent are not published, and the question has the path that asks for those of one', async () => {
  const all = () => [...screens(1, 2), ...screens(2, 1), ...screens(3, 1)];
  await using lab = await signageLab(world([1, 1, 1], all));
  const first = await lab.run(FIRST);
  expect(first.sources[0]).toMatchObject({ status: 'failed', error: { code: 'CHILDREN_ALIKE' } });
  expect(first.sources[0]?.questions[0]?.cures[0]).toMatchObject({
    setting: 'resources.screens.path',
    choices: [`${SIGNAGE}/Screens?player_id={id}`],
  });
  expect(first.tables['screens']?.rows ?? 0).toBe(0);
  expect((await lab.run(SECOND, undefined, complete)).sources[0]?.status).toBe('complete');
});
