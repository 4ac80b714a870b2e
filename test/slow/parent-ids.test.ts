import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { screenRoutes } from '../support/fleet-routes.ts';

/** The text of a listing of players, and for each path segment of a player one screen. */
function routes(players: string, segments: readonly string[]): Routes {
  return {
    [`${SIGNAGE}/Players`]: { body: players },
    ...screenRoutes(segments, (segment, index) => [{ Id: index + 1, DisplayName: `of ${segment}` }]),
  };
}

const JOINED = `
  select players.player_id, players.record_key, display_name
  from players join screens using (player_id) order by 1`;

function settings(id: string | undefined) {
  return id === undefined ? {} : { signage: { resources: { players: { id } } } };
}

const MANY = Array.from({ length: 23 }, (_, index) => ({
  Id: index === 5 ? null : index,
  Code: `c${index}`,
}));

it('an id that one of many lacks is named, and with it the others are exported', async () => {
  const segments = Array.from({ length: 23 }, (_, index) => String(index)).filter((each) => each !== '5');
  await using lab = await signageLab(routes(JSON.stringify(MANY), segments));
  const asked = await lab.run('2026-11-20T03:00:00Z');
  expect(asked.status).not.toBe('complete');
  const [source] = asked.sources;
  expect(source?.error).toMatchObject({ code: 'ID_UNKNOWN' });
  expect(source?.error?.message).toContain('"Id" is missing in 1, "Code" tells all 23 apart');
  const again = await lab.run('2026-11-21T03:00:00Z', undefined, settings('Id'));
  expect(again.status).toBe('partial');
  expect(again.sources[0]?.error).toMatchObject({
    code: 'ID_MISSING',
    message: '1 of 23 records of players have no "Id", by which their children are requested.',
  });
  expect(await lab.rows(JOINED)).toHaveLength(22);
});

it('a player that has lost its id keeps its screens', async () => {
  const whole = '[{"Id": 1, "Name": "a"}, {"Id": 2, "Name": "b"}]';
  await using lab = await signageLab(routes(whole, ['1', '2']), settings('Id'));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', routes('[{"Id": 1, "Name": "a"}, {"Id": null, "Name": "b"}]', ['1']));
  const screens = await lab.rows('select player_id from screens order by 1');
  expect(screens.map((row) => row.player_id)).toEqual(['1', '2']);
  expect(await lab.rows("select * from changes where table_name = 'screens'")).toEqual([]);
});
