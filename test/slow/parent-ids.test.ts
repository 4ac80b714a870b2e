import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

/** The text of a listing of players, and for each path segment of a player one screen. */
function routes(players: string, segments: readonly string[]): Routes {
  return {
    [`${SIGNAGE}/Players`]: { body: players },
    ...Object.fromEntries(
      segments.map((segment, index) => [
        `${SIGNAGE}/Players/${segment}/Screens`,
        { body: `[{"Id": ${index + 1}, "DisplayName": "of ${segment}"}]` },
      ]),
    ),
  };
}

const JOINED = `
  select players.player_id, players.record_key, display_name
  from players join screens using (player_id) order by 1`;

function settings(id: string | undefined) {
  return id === undefined ? {} : { signage: { resources: { players: { id } } } };
}

it.each([
  {
    title: '1.0 and 1e3 are 1 and 1000',
    players: '[{"Id": 1.0, "A": 1}, {"Id": 1e3, "A": 2}]',
    due: ['1', '1000'],
  },
  { title: '-0 is 0', players: '[{"Id": -0, "A": 1}, {"Id": 5.00, "A": 2}]', due: ['0', '5'] },
  {
    title: 'an id beyond every type is its digits',
    players: '[{"Id": 123456789012345678901234567890}, {"Id": 9007199254740993}]',
    due: ['123456789012345678901234567890', '9007199254740993'],
  },
  {
    title: 'the id is below a level',
    players: '[{"node": {"Id": 7, "Name": "a"}}, {"node": {"Id": 8, "Name": "b"}}]',
    id: 'node.Id',
    due: ['7', '8'],
  },
  {
    title: 'the id is a MongoDB one',
    players: '[{"_id": {"$oid": "5a"}, "n": 1}, {"_id": {"$oid": "5b"}, "n": 2}]',
    id: '_id.$oid',
    due: ['5a', '5b'],
  },
  {
    title: "the records' own id beats the map's key",
    players: '{"a": {"Id": 7, "Label": "x"}, "b": {"Id": 8, "Label": "y"}}',
    due: ['7', '8'],
  },
  {
    title: 'the id stands only in a link to the record itself',
    players:
      '[{"_links": {"self": {"href": "/api/players/7"}}}, {"_links": {"self": {"href": "/api/players/8/"}}}]',
    id: '_links.self.href/*',
    due: ['7', '8'],
  },
  {
    title: 'the setting has another case',
    players: '[{"ID": 7, "Code": 1}, {"ID": 8, "Code": 1}]',
    id: 'id',
    due: ['7', '8'],
  },
  {
    title: 'the operator says that it is the name',
    players: '[{"Name": "x"}, {"Name": "y"}]',
    id: 'Name',
    due: ['x', 'y'],
  },
])('players and screens join where $title', async ({ players, id, due }) => {
  await using lab = await signageLab(routes(players, due), settings(id));
  const { status } = await lab.run('2026-11-20T03:00:00Z');
  expect(status).toBe('complete');
  const joined = due.map((each) => ({ player_id: each, record_key: each, display_name: `of ${each}` }));
  expect(await lab.rows(JOINED)).toEqual(joined);
  // Another day says the same: nothing was removed and added again.
  await lab.run('2026-11-21T03:00:00Z');
  expect(await lab.rows('select * from changes')).toEqual([]);
});

it('a name alone is asked about, and answered', async () => {
  const players = '[{"Name": "x", "A": 1}, {"Name": "y", "A": 1}]';
  await using lab = await signageLab(routes(players, ['x', 'y']));
  const { status } = await lab.run('2026-11-20T03:00:00Z');
  expect(status).not.toBe('complete');
  const [row] = await lab.rows(
    "select * from outcomes where error_code = 'ID_UNKNOWN' and resource = 'screens'",
  );
  expect(row?.message).toBe(
    'It is not clear which field of the 2 records of players requests their children: "Name" tells all 2 apart. Set resources.players.id to "Name" or a field that tells them apart.',
  );
});

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
