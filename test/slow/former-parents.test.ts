import { expect, it } from 'vitest';
import { fixtureLab, type Routes } from '../support/fixture-lab.ts';
import { pagedPlayers, screenRoutes } from '../support/fleet-routes.ts';

/** A player that is not listed is gone. */
const fleet = (listed: readonly number[]): Routes => ({
  ...pagedPlayers(listed),
  ...screenRoutes([1, 2, 3, 4, 5], (id) =>
    listed.includes(id) ? [{ Id: id * 10, Label: `S${id}` }] : { status: 404, body: '' },
  ),
});

it('a player that is gone is not asked for in each later run, one that shows what gone looks like aside', async () => {
  await using lab = await fixtureLab(fleet([1, 2, 3, 4, 5]));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', fleet([1, 2, 3, 4]));
  const asked = "select parent_id from outcomes where resource = 'screens' and outcome = 'gone'";
  expect(await lab.rows(asked)).toEqual([{ parent_id: '5' }]);
  await lab.run('2026-11-22T03:00:00Z', fleet([1, 2, 3]));
  expect(await lab.rows(`${asked} order by all`)).toEqual([{ parent_id: '4' }, { parent_id: '5' }]);
});
