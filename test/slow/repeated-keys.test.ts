import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { maskOf } from '../support/mask-of.ts';

const SCREENS = (player: number) => `${SIGNAGE}/Players/${player}/Screens`;

/** Screens of two players in pages of two, of which each names the next. */
function fleet(pages: readonly (readonly object[])[]): Routes {
  const page = (player: number, index: number) => ({
    body: JSON.stringify({
      data: pages[index],
      next: index + 1 < pages.length ? `${SCREENS(player)}?page=${index + 2}` : null,
    }),
  });
  return {
    [`${SIGNAGE}/Players`]: { body: '[{"Id":1},{"Id":2}]' },
    ...Object.fromEntries(
      [1, 2].flatMap((player) => [
        [SCREENS(player), page(player, 0)],
        ...pages.map((_, index) => [`${SCREENS(player)}?page=${index + 1}`, page(player, index)] as const),
      ]),
    ),
  };
}

const ROWS = "select record_key, name from screens where starts_with(record_key, '2/1') order by record_key";

it('of records with one key the later has #2, by its page and then by its place, and so have its rejects', async () => {
  await using lab = await signageLab(
    fleet([
      [
        { Id: 1, Name: 'a', Size: 1 },
        { Id: 2, Name: 'b', Size: 2 },
      ],
      [{ Id: 3, Name: 'c', Size: 3 }],
    ]),
  );
  await lab.run('2026-11-20T03:00:00Z');
  const moved = fleet([
    [
      { Id: 2, Name: 'b', Size: 2 },
      { Id: 1, Name: 'first', Size: 1 },
    ],
    [
      { Id: 1, Name: 'second', Size: 'x' },
      { Id: 1, Name: 'third', Size: 'y' },
    ],
  ]);
  expect((await lab.run('2026-11-21T03:00:00Z', moved)).sources[0]?.error).toBeUndefined();
  expect(await lab.rows(ROWS)).toEqual([
    { record_key: '2/1', name: 'first' },
    { record_key: '2/1#2', name: 'second' },
    { record_key: '2/1#3', name: 'third' },
  ]);
  const rejects = await lab.rows(
    "select record_key, raw_value from rejects where column_name = 'size' order by all",
  );
  expect(rejects).toEqual([
    { record_key: '1/1#2', raw_value: 'x' },
    { record_key: '1/1#3', raw_value: 'y' },
    { record_key: '2/1#2', raw_value: 'x' },
    { record_key: '2/1#3', raw_value: 'y' },
  ]);
});

it('the second value of a key stands in rejects: masked where its column is, not at all where it is dropped', async () => {
  const body = '[{"Id":1,"City":"a","City":"b","Size":"c","Size":"d","Email":"e","Email":"f"}]';
  await using lab = await signageLab(
    { [`${SIGNAGE}/Players`]: { body } },
    {
      config: { maskSecret: 'lab/mask' },
      signage: { resources: { players: { mask: ['Size'], drop: ['Email'] } } },
    },
  );
  await lab.run('2026-11-20T03:00:00Z');
  expect(await lab.rows('select column_name, raw_value, reason from rejects order by 1')).toEqual([
    { column_name: 'city', raw_value: 'b', reason: 'name' },
    { column_name: 'size', raw_value: maskOf('players.size', 'd'), reason: 'name' },
  ]);
});

it('a record that comes again on a later page is one row where each value is alike, and two on one page', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name, index) => ({ Id: index + 1, Name: name, Size: 1 }));
  await using lab = await signageLab(fleet([[{ ...a }, { ...b }], [{ ...c }]]));
  await lab.run('2026-11-20T03:00:00Z');
  const overlapping = fleet([[{ ...a }, { ...b }], [{ ...b }, { ...c }, { ...c }], [{ ...a, Size: 2 }]]);
  expect((await lab.run('2026-11-21T03:00:00Z', overlapping)).sources[0]?.error).toBeUndefined();
  const keys = await lab.rows(
    "select record_key, size from screens where starts_with(record_key, '2/') order by 1",
  );
  expect(keys).toEqual([
    { record_key: '2/1', size: 1 },
    { record_key: '2/1#2', size: 2 },
    { record_key: '2/2', size: 1 },
    { record_key: '2/3', size: 1 },
    { record_key: '2/3#2', size: 1 },
  ]);
});

it('what told players apart on the first day does so when a better name comes, and asks for their screens', async () => {
  const fleetOf = (players: readonly object[]): Routes => ({
    [`${SIGNAGE}/Players`]: { body: JSON.stringify(players) },
    ...Object.fromEntries([4, 7].map((code) => [SCREENS(code), { body: `[{"Id":1,"Label":"of ${code}"}]` }])),
  });
  const players = 'select player_id, record_key from players order by all';
  await using lab = await signageLab(fleetOf([4, 7].map((Code) => ({ Code, Name: `Foyer ${Code}` }))));
  await lab.run('2026-11-20T03:00:00Z');
  const first = [4, 7].map((code) => ({ player_id: `${code}`, record_key: `${code}` }));
  expect(await lab.rows(players)).toEqual(first);
  const { sources } = await lab.run(
    '2026-11-21T03:00:00Z',
    fleetOf([4, 7].map((Code) => ({ Id: Code + 90, Code, Name: `Foyer ${Code}` }))),
  );
  expect(sources[0]).toMatchObject({ status: 'complete', outcomes: { failed: 0, gone: 0 } });
  expect(await lab.rows(players)).toEqual(first);
  expect(await lab.rows('select player_id, label from screens order by all')).toEqual([
    { player_id: '4', label: 'of 4' },
    { player_id: '7', label: 'of 7' },
  ]);
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
  await lab.run('2026-11-20T03:00:00Z');
  const key = "select record_key from licenses where w = 'own'";
  const before = await lab.rows(key);
  await lab.run('2026-11-21T03:00:00Z', licenses(other));
  expect(await lab.rows(key)).toEqual(before);
  // Under another name all days are read again.
  const named = { signage: { resources: { licenses: { columns: { v: { as: 'a_name' } } } } } };
  await lab.run('2026-11-22T03:00:00Z', licenses('true'), named);
  expect(await lab.rows(key)).toEqual(before);
  const told = await lab.rows('select record_key from changes');
  expect(told.length).toBeGreaterThan(0);
  expect(told).not.toContainEqual(before[0]);
});
