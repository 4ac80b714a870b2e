import { expect, it } from 'vitest';
import { fixtureLab, type Routes, SIGNAGE } from '../support/fixture-lab.ts';

const OFFLINE = { status: 404, body: '{"message":"Device is offline"}' };
const screens = (id: number) => ({ body: JSON.stringify([{ Id: id * 10, Label: `S${id}` }]) });

/** Players in one page of a listing that declares no total, so that those it lacks are asked for as well. */
function fleet(listed: readonly number[], others: Routes): Routes {
  const rows = (page: number) => listed.slice((page - 1) * 2, page * 2).map((Id) => ({ Id }));
  return {
    [`${SIGNAGE}/Players`]: (request) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
      return { body: JSON.stringify({ data: rows(page), page }) };
    },
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((id) => [`${SIGNAGE}/Players/${id}/Screens`, screens(id)])),
    ...others,
  };
}

const OUTCOMES =
  "select parent_id, outcome, error_code from outcomes where resource = 'screens' and outcome <> 'ok' order by parent_id";

it('a 404 that talks of the device removes nobody, until a player that is not listed has the same answer', async () => {
  await using lab = await fixtureLab(fleet([1, 2, 3, 4, 5, 6], {}));
  expect((await lab.run('2026-11-20T03:00:00Z')).status).toBe('complete');

  const away = { [`${SIGNAGE}/Players/3/Screens`]: OFFLINE };
  await lab.run('2026-11-21T03:00:00Z', fleet([1, 2, 3, 4, 5, 6], away));
  expect(await lab.rows(OUTCOMES)).toEqual([
    { parent_id: '3', outcome: 'failed', error_code: 'GONE_UNPROVEN' },
  ]);
  expect(await lab.rows("select label from screens where player_id = '3'")).toEqual([{ label: 'S3' }]);

  const both = { ...away, [`${SIGNAGE}/Players/6/Screens`]: OFFLINE };
  await lab.run('2026-11-22T03:00:00Z', fleet([1, 2, 3, 4, 5], both));
  expect(await lab.rows(OUTCOMES)).toEqual([
    { parent_id: '3', outcome: 'gone', error_code: 'NOT_FOUND' },
    { parent_id: '6', outcome: 'gone', error_code: 'NOT_FOUND' },
  ]);
});
