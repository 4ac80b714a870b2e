import { expect, it } from 'vitest';
import { fixtureLab, type Routes, SIGNAGE } from '../support/fixture-lab.ts';

const screens = (id: number) => ({ body: JSON.stringify([{ Id: id * 10, Label: `S${id}` }]) });

/** Players in pages without a total, so that those they lack are requested; a player that is not listed is gone. */
function fleet(listed: readonly number[]): Routes {
  const rows = (page: number) => listed.slice((page - 1) * 2, page * 2).map((Id) => ({ Id }));
  return {
    [`${SIGNAGE}/Players`]: (request) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
      return { body: JSON.stringify({ data: rows(page), page }) };
    },
    ...Object.fromEntries(listed.map((id) => [`${SIGNAGE}/Players/${id}/Screens`, screens(id)])),
    ...Object.fromEntries(
      [1, 2, 3, 4, 5]
        .filter((id) => !listed.includes(id))
        .map((id) => [`${SIGNAGE}/Players/${id}/Screens`, { status: 404, body: '' }]),
    ),
  };
}

it('a player that is gone is not asked for in each later run, one that shows what gone looks like aside', async () => {
  await using lab = await fixtureLab(fleet([1, 2, 3, 4, 5]));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', fleet([1, 2, 3, 4]));
  const asked = "select parent_id from outcomes where resource = 'screens' and outcome = 'gone'";
  expect(await lab.rows(asked)).toEqual([{ parent_id: '5' }]);
  await lab.run('2026-11-22T03:00:00Z', fleet([1, 2, 3]));
  expect(await lab.rows(`${asked} order by all`)).toEqual([{ parent_id: '4' }, { parent_id: '5' }]);
});
