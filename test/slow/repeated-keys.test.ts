import { describe, expect, it } from 'vitest';
import { type FixtureLab, type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { screenRoutes } from '../support/fleet-routes.ts';
import { maskOf } from '../support/mask-of.ts';

const [FIRST = '', SECOND = '', THIRD = ''] = [20, 21, 22].map((day) => `2026-11-${day}T03:00:00Z`);
const SCREENS = (player: number) => `${SIGNAGE}/Players/${player}/Screens`;
/** The listing of players as the API writes it, and the screens of each. */
const players = (body: string, screens: Routes = {}) => ({ [`${SIGNAGE}/Players`]: { body }, ...screens });
const withIds = (id: string | undefined) => (id ? { signage: { resources: { players: { id } } } } : {});
/** The rows of a query, each as one text. */
const rowsOf = async (lab: FixtureLab, sql: string) =>
  (await lab.rows(sql)).map((row) => Object.values(row).join(' '));
const KEYS = "select record_key, name from screens where starts_with(record_key, '2/') order by 1";

/** Screens of two players in pages of two, of which each names the next. */
function fleet(pages: readonly (readonly object[])[]): Routes {
  const page = (player: number, index: number) => {
    const next = index + 1 < pages.length ? `${SCREENS(player)}?page=${index + 2}` : null;
    return { body: JSON.stringify({ data: pages[index], next }) };
  };
  const screens = [1, 2].flatMap((player) => [
    [SCREENS(player), page(player, 0)],
    ...pages.map((_, index) => [`${SCREENS(player)}?page=${index + 1}`, page(player, index)] as const),
  ]);
  return players('[{"Id":1},{"Id":2}]', Object.fromEntries(screens));
}

const record = (Id: number, Name: string, Size: unknown = 1) => ({ Id, Name, Size });
const [a, b, c] = [record(1, 'a'), record(2, 'b'), record(3, 'c')] as const;

describe('of records with one key', () => {
  it('the later has #2, by its page and then by its place, and so have its rejects', async () => {
    await using lab = await signageLab(fleet([[a, b], [c]]));
    await lab.run(FIRST);
    const pages = [b, record(1, 'first'), record(1, 'second', 'x'), record(1, 'third', 'y')];
    const moved = fleet([pages.slice(0, 2), pages.slice(2)]);
    expect((await lab.run(SECOND, moved)).sources[0]?.error).toBeUndefined();
    expect(await rowsOf(lab, KEYS)).toEqual(['2/1 first', '2/1#2 second', '2/1#3 third', '2/2 b']);
    const rejects = "select record_key, raw_value from rejects where column_name = 'size' order by all";
    expect(await rowsOf(lab, rejects)).toEqual(['1/1#2 x', '1/1#3 y', '2/1#2 x', '2/1#3 y']);
  });

  it('one that comes again on a later page is one row where each value is alike, and two on one page', async () => {
    await using lab = await signageLab(fleet([[a, b], [c]]));
    await lab.run(FIRST);
    const overlapping = fleet([[a, b], [b, c, c], [record(1, 'a', 2)]]);
    expect((await lab.run(SECOND, overlapping)).sources[0]?.error).toBeUndefined();
    const sizes = "select record_key, size from screens where starts_with(record_key, '2/') order by 1";
    expect(await rowsOf(lab, sizes)).toEqual(['2/1 1', '2/1#2 2', '2/2 1', '2/3 1', '2/3#2 1']);
  });
});

it.each(['P2', 'another one'])('a player that comes twice has two rows and a note (%s)', async (name) => {
  const all = Array.from({ length: 30 }, (_, at) => ({ Id: at, Name: `P${at}` }));
  const screens = screenRoutes(
    all.map(({ Id }) => Id),
    (Of) => [{ Id: 1, Of }],
  );
  const day = (...more: readonly object[]) => players(JSON.stringify([...all, ...more]), screens);
  await using lab = await signageLab(day());
  await lab.run(FIRST);
  const { sources, tables } = await lab.run(SECOND, day({ Id: 2, Name: name }));
  const says = expect.stringMatching(/^1 record has the "Id" of another one/);
  expect(sources[0]).toMatchObject({ questions: [], notes: [{ code: 'ID_REPEATED', says }] });
  expect(tables['players']?.rows).toBe(31);
  expect((await lab.run(THIRD, day())).sources[0]?.notes).toEqual([]);
});

it('the second value of a key has a column: masked and dropped with that of the first', async () => {
  const body = '[{"Id":1,"City":"a","City":"b","Size":"c","Size":"d","Email":"e","Email":"f"}]';
  const resources = { players: { mask: ['Size'], drop: ['Email'] } };
  const settings = { config: { maskSecret: 'lab/mask' }, signage: { resources } };
  await using lab = await signageLab(players(body), settings);
  await lab.run(FIRST);
  const masks = [maskOf('players.size', 'c'), maskOf('players.size_2', 'd')];
  expect(await rowsOf(lab, 'select city, city_2, size, size_2 from players')).toEqual([
    `a b ${masks.join(' ')}`,
  ]);
  const paths =
    "select column_name, api_path from schema_columns where not provisional and table_name = 'players' order by 1";
  expect(await rowsOf(lab, paths)).toEqual(['city City', 'city_2 City', 'id Id', 'size Size', 'size_2 Size']);
});

it('what told players apart on the first day does so when a better name comes, and asks for their screens', async () => {
  const screens = screenRoutes([4, 7], (code) => [{ Id: 1, Label: `of ${code}` }]);
  const fleetOf = (records: readonly object[]) => players(JSON.stringify(records), screens);
  const keys = 'select player_id, record_key from players order by all';
  await using lab = await signageLab(fleetOf([4, 7].map((Code) => ({ Code, Name: `Foyer ${Code}` }))));
  await lab.run(FIRST);
  expect(await rowsOf(lab, keys)).toEqual(['4 4', '7 7']);
  const better = [4, 7].map((Code) => ({ Id: Code + 90, Code, Name: `Foyer ${Code}` }));
  const { sources } = await lab.run(SECOND, fleetOf(better));
  expect(sources[0]).toMatchObject({ status: 'complete', outcomes: { failed: 0, gone: 0 } });
  expect(await rowsOf(lab, keys)).toEqual(['4 4', '7 7']);
  const labels = await rowsOf(lab, 'select player_id, label from screens order by all');
  expect(labels).toEqual(['4 of 4', '7 of 7']);
});

it.each([
  ['a text where it has an object', '{"B":1}', '"x"'],
  ['a text where it has an object within an object', '{"B":{"C":1}}', '{"B":"x"}'],
  ['the first text where it has an empty one', '""', '"x"'],
])('a record without an id keeps its key when another brings %s', async (_, own, other) => {
  const licenses = (value: string) => ({
    [`${SIGNAGE}/Licenses`]: { body: `[{"V":${own},"W":"own"},{"V":${value},"W":"other"}]` },
  });
  await using lab = await signageLab(licenses('null'));
  await lab.run(FIRST);
  const key = "select record_key from licenses where w = 'own'";
  const [before] = await rowsOf(lab, key);
  await lab.run(SECOND, licenses(other));
  expect(await rowsOf(lab, key)).toEqual([before]);
  // Under another name all days are read again.
  const as = { signage: { resources: { licenses: { columns: { v: { as: 'a_name' } } } } } };
  await lab.run(THIRD, licenses('true'), as);
  expect(await rowsOf(lab, key)).toEqual([before]);
  const changed = await rowsOf(lab, 'select record_key from changes');
  expect([changed.length > 0, changed.includes(before ?? '')]).toEqual([true, false]);
});

describe('a PlayerId of a player', () => {
  const COLUMNS = "select column_name from schema_columns where table_name = 'players' order by 1";

  it.each<[string, string, string[], string[]]>([
    ['alone', '{"PlayerId":7,"Name":"a"},{"PlayerId":8,"Name":"b"}', ['name'], ['7', '8']],
    ['hyphenated', '{"player-id":"x/1","name":"a"},{"player-id":"ü","name":"b"}', ['name'], ['x/1', 'ü']],
    [
      'like its Id',
      '{"Id":7,"PlayerId":"7"},{"Id":8,"PlayerId":8},{"Id":9,"PlayerId":null}',
      ['id'],
      ['7', '8', '9'],
    ],
  ])('that is %s is player_id, not a second column', async (_, records, columns, ids) => {
    await using lab = await signageLab(players(`[${records}]`));
    for (const day of [FIRST, SECOND]) await lab.run(day);
    expect(await rowsOf(lab, COLUMNS)).toEqual(columns);
    expect(await rowsOf(lab, 'select player_id from players order by 1')).toEqual(ids);
  });

  it.each([
    ['differs from the id', '{"Id":7,"PlayerId":70}'],
    ['is no id in a record', '{"Id":7,"PlayerId":7.5}'],
    ['is empty in a record', '{"Id":7,"PlayerId":""}'],
    ['has another half of a pair', '{"Id":"\\ud83d","PlayerId":"\\ud83e"}'],
  ])('that %s has a column of its own: no value is lost', async (_, record) => {
    await using lab = await signageLab(players(`[${record},{"Id":8,"PlayerId":8}]`));
    await lab.run(FIRST);
    expect(await rowsOf(lab, COLUMNS)).toEqual(['id', 'player_id_2']);
  });

  it('that differs later gets its column then, and keeps it', async () => {
    await using lab = await signageLab(players('[{"Id":7,"PlayerId":7}]'));
    await lab.run(FIRST);
    expect(await rowsOf(lab, COLUMNS)).toEqual(['id']);
    const both = 'select player_id, player_id_2 from players';
    await lab.run(SECOND, players('[{"Id":7,"PlayerId":8}]'));
    expect(await rowsOf(lab, both)).toEqual(['7 8']);
    await lab.run(THIRD, players('[{"Id":7,"PlayerId":7}]'));
    expect(await rowsOf(lab, both)).toEqual(['7 7']);
  });

  it('that a screen has is player_id, however it is written', async () => {
    const body = '[{"Id":1,"PlayerId":7},{"Id":2,"Player":{"Id":7}}]';
    await using lab = await signageLab(players('[{"Id":7}]', { [SCREENS(7)]: { body } }));
    await lab.run(FIRST);
    const rows = await lab.rows('select * exclude (exported_at, export_run_id) from screens order by id');
    const row = (id: number) => ({ export_source: 'berlin', record_key: `7/${id}`, player_id: '7', id });
    expect(rows).toEqual([row(1), row(2)]);
  });
});

describe('an id that a player lacks', () => {
  const ids = (...of: readonly (number | null)[]) => {
    const known = of.flatMap((id) => id ?? []);
    const screens = screenRoutes(known, (id) => [{ Id: 1, Of: id }]);
    return players(JSON.stringify(of.map((Id, index) => ({ Id, Code: `c${index}` }))), screens);
  };

  it.each([
    ['is missing on the first day: the others are exported, and it alone is named', 'screens of each'],
    ['is asked about where no answer shows which field is right', 'no screens'],
  ])('%s', async (_, screens) => {
    const all = Array.from({ length: 23 }, (_, at) => (at === 5 ? null : at));
    const routes = ids(...all);
    const bare = Object.keys(routes).map((path) => [path, { body: '[]' }]);
    const none = { ...Object.fromEntries(bare), [`${SIGNAGE}/Players`]: routes[`${SIGNAGE}/Players`] };
    await using lab = await signageLab(screens === 'no screens' ? none : routes);
    const { status, sources } = await lab.run(FIRST);
    if (screens === 'no screens') {
      const says = expect.stringContaining('"Id" is missing in 1, "Code" tells all 23 apart');
      expect(sources[0]).toMatchObject({ status: 'failed', error: { code: 'ID_UNKNOWN', message: says } });
      return;
    }
    expect([status, sources[0]?.error]).toMatchObject([
      'partial',
      {
        code: 'ID_MISSING',
        message: '1 of 23 records of players have no "Id", by which their children are requested.',
      },
    ]);
    expect(await rowsOf(lab, 'select of from players join screens using (player_id)')).toHaveLength(22);
    expect((await lab.run(SECOND)).sources[0]?.error?.code).toBe('ID_MISSING');
  });

  it('it keeps the screens where it had one the day before', async () => {
    await using lab = await signageLab(ids(1, 2), withIds('Id'));
    await lab.run(FIRST);
    await lab.run(SECOND, ids(1, null));
    expect(await rowsOf(lab, 'select player_id from screens order by 1')).toEqual(['1', '2']);
    expect(await lab.rows("select * from changes where table_name = 'screens'")).toEqual([]);
  });
});
