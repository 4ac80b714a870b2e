import { expect, it } from 'vitest';
import { signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';

const PLAYERS = Array.from({ length: 12 }, (_, index) => ({ Id: index + 1, Name: `P${index + 1}` }));

/** Screens of each player; `idOf` is the id of the player that its records name. */
const routes = (idOf: (player: number) => unknown) =>
  fleetRoutes(PLAYERS, (id) => [{ Number: 1, DisplayName: `of ${idOf(id)}`, PlayerId: idOf(id) }]);

const own = (player: number): number => player;
/** The answer to the player before comes to player 12. */
const shifted = (player: number): number => (player === 12 ? 11 : player);

it('screens that name another player than the one that was asked for are not published as its own', async () => {
  await using lab = await signageLab(routes(own));
  expect((await lab.run('2026-11-20T03:00:00Z')).sources[0]?.status).toBe('complete');
  const { sources } = await lab.run('2026-11-21T03:00:00Z', routes(shifted));
  expect(sources[0]?.status).toBe('partial');
  expect(sources[0]?.error).toMatchObject({ code: 'PARENT_MISMATCH' });
  expect(await lab.rows("select display_name from screens where player_id = '12'")).toEqual([
    { display_name: 'of 12' },
  ]);
  const ignored = await lab.run('2026-11-22T03:00:00Z', routes(shifted), {
    signage: { resources: { screens: { ignore: ['PlayerId'] } } },
  });
  expect(ignored.sources[0]?.status).toBe('complete');
});

it.each([
  ['a number of the device, which is never the id', (player: number) => `GP-${player}`],
  ['the player that a screen was first bought for', (player: number) => (player % 3 === 0 ? 1 : player)],
  ['nothing', () => null],
])('screens whose PlayerId is %s are published', async (_, idOf) => {
  await using lab = await signageLab(routes(idOf));
  expect((await lab.run('2026-11-20T03:00:00Z')).sources[0]?.status).toBe('complete');
});
