import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { pagedPlayers, screenRoutes } from '../support/fleet-routes.ts';

const OFFLINE = { status: 404, body: '{"message":"Device is offline"}' };

const fleet = (listed: readonly number[], others: Routes): Routes => ({
  ...pagedPlayers(listed),
  ...screenRoutes([1, 2, 3, 4, 5, 6], (id) => [{ Id: id * 10, Label: `S${id}` }]),
  ...others,
});

const OUTCOMES =
  "select parent_id, outcome, error_code from outcomes where resource = 'screens' and outcome <> 'ok' order by parent_id";

/** What the server says of a player that it does not know, whatever its id. */
const unknown = (id: number | string) => ({
  status: 404,
  body: JSON.stringify({ error: `No player ${id}`, path: `/Players/${id}/Screens`, traceId: `00-${id}ab` }),
});
const INVENTED = `${SIGNAGE}/Players/1999999973/Screens`;

it('a 404 is gone where a player that cannot exist has the same answer; it is asked for once a collector', async () => {
  const all = [1, 2, 3, 4, 5, 6];
  await using lab = await signageLab(fleet(all, {}));
  await lab.run('2026-11-20T03:00:00Z');
  expect(lab.server.requests.some(({ path }) => path === INVENTED)).toBe(false);
  const before = lab.server.requests.length;

  const away = screenRoutes([1, 2], unknown);
  const offline = { ...away, [`${SIGNAGE}/Players/3/Screens`]: OFFLINE, [INVENTED]: unknown(1999999973) };
  await lab.run('2026-11-21T03:00:00Z', fleet(all, offline));
  expect(await lab.rows(OUTCOMES)).toEqual([
    { parent_id: '1', outcome: 'gone', error_code: 'NOT_FOUND' },
    { parent_id: '2', outcome: 'gone', error_code: 'NOT_FOUND' },
    { parent_id: '3', outcome: 'failed', error_code: 'GONE_UNPROVEN' },
  ]);
  expect(await lab.rows("select label from screens where player_id = '3'")).toEqual([{ label: 'S3' }]);
  expect(await lab.rows('select count(*)::int n from screens')).toEqual([{ n: 4 }]);
  // The first pass requests it once, and each of the two sweeps requests the one in doubt again.
  expect(lab.server.requests.filter(({ path }) => path === INVENTED)).toHaveLength(3);
  const calls = lab.server.requests.slice(before).filter(({ path }) => path.endsWith('/Screens'));
  const counted = "select sum(attempts)::int n from outcomes where resource = 'screens'";
  expect(await lab.rows(counted)).toEqual([{ n: calls.length }]);
});

it('a 404 that says that there are none is empty where the setting none has its text', async () => {
  const none = (id: number) => ({
    status: 404,
    body: JSON.stringify({ Message: `No screens found for player ${id}` }),
  });
  const without = screenRoutes([1, 2, 3], none);
  const routes = fleet([1, 2, 3, 4, 5, 6], { ...without, [INVENTED]: unknown(1999999973) });
  await using asked = await signageLab(routes);
  const said = JSON.stringify((await asked.run('2026-11-20T03:00:00Z')).sources[0]);
  expect(said).toContain('"setting":"resources.screens.none","choices":[["No screens found for player #"]]');
  const resources = { screens: { none: ['No screens found for player #'] } };
  await using lab = await signageLab(routes, { signage: { resources } });
  expect((await lab.run('2026-11-20T03:00:00Z')).status).toBe('complete');
  expect(await lab.rows(OUTCOMES)).toEqual(
    [1, 2, 3].map((id) => ({ parent_id: String(id), outcome: 'empty', error_code: null })),
  );
});

it('what is gone of one source proves nothing of another whose server says the same', async () => {
  const all = [1, 2, 3, 4, 5, 6];
  /** The fleet at the path of its source. */
  const of = (source: string, routes: Routes): Routes =>
    Object.fromEntries(Object.entries(routes).map(([path, answer]) => [`/${source}${path}`, answer]));
  await using lab = await signageLab({}, { fleets: { berlin: {}, munich: {} } });
  const run = (time: string, berlin: Routes, munich: Routes) =>
    lab.run(time, { ...of('berlin', berlin), ...of('munich', munich) });
  await run('2026-11-20T03:00:00Z', fleet(all, {}), fleet(all, {}));
  const away = { [`${SIGNAGE}/Players/3/Screens`]: OFFLINE };
  const both = { ...away, [`${SIGNAGE}/Players/6/Screens`]: OFFLINE };
  await run('2026-11-21T03:00:00Z', fleet([1, 2, 3, 4, 5], both), fleet(all, away));
  const rows = await lab.rows(
    "select export_source as source, parent_id, outcome from outcomes where outcome in ('gone', 'failed') order by all",
  );
  expect(rows).toEqual([
    { source: 'berlin', parent_id: '3', outcome: 'gone' },
    { source: 'berlin', parent_id: '6', outcome: 'gone' },
    { source: 'munich', parent_id: '3', outcome: 'failed' },
  ]);
});
