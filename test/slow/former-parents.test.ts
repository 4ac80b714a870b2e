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

it('players whose id the config names after a first run are asked for by it alone', async () => {
  const many = Array.from({ length: 30 }, (_, index) => index + 1);
  const named = (page: number) =>
    many.slice((page - 1) * 10, page * 10).map((gid) => ({ gid: `g${gid}`, name: `Player ${gid}` }));
  const routes: Routes = {
    ...Object.fromEntries(
      many.flatMap((gid) => [
        [`${SIGNAGE}/Players/g${gid}/Screens`, screens(gid)],
        [`${SIGNAGE}/Players/Player%20${gid}/Screens`, { status: 404, body: '' }],
      ]),
    ),
    [`${SIGNAGE}/Players`]: (request) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
      return { body: JSON.stringify({ data: named(page), page }) };
    },
  };
  await using lab = await fixtureLab(routes);
  const asked = await lab.run('2026-11-20T03:00:00Z');
  expect(asked.sources[0]?.error?.code).toBe('ID_UNKNOWN');
  const settings = { signage: { resources: { players: { id: 'gid' } } } };
  for (const day of [21, 22]) {
    const { sources } = await lab.run(`2026-11-${day}T03:00:00Z`, undefined, settings);
    expect(sources[0]?.error).toBeUndefined();
    expect(sources[0]?.outcomes).toMatchObject({ failed: 0, gone: 0 });
  }
});
