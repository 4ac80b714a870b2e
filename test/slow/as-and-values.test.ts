import { describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { labFile } from '../support/export-lab.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const served = (...records: readonly object[]) => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify(records) },
});
const players = (columns: object) => ({ signage: { resources: { players: { columns } } } });
const POWER = { power: { as: 'is_on', values: { ON: true, STANDBY: false } } };
const at = (day: number) => `2026-11-1${day}T03:00:00Z`;

describe('as and values', () => {
  it('a word that means nothing is null and stands in rejects, under the name that the config gives', async () => {
    await using lab = await signageLab(
      served({ Id: 1, Power: 'ON' }, { Id: 2, Power: 'STANDBY' }, { Id: 3, Power: 'FAULT' }, { Id: 4 }),
      players(POWER),
    );
    await lab.run(at(0));
    expect(await lab.rows('select player_id, is_on from players order by all')).toEqual([
      { player_id: '1', is_on: true },
      { player_id: '2', is_on: false },
      { player_id: '3', is_on: null },
      { player_id: '4', is_on: null },
    ]);
    expect(await lab.rows('select column_name, raw_value, reason from rejects')).toEqual([
      { column_name: 'is_on', raw_value: 'FAULT', reason: 'type' },
    ]);
  });

  it('`as` with the name of a field that is gone goes on with its column and its history', async () => {
    const twelve = (field: string) =>
      served(...Array.from({ length: 12 }, (_, id) => ({ Id: id + 1, [field]: '2026-11-10T02:00:00Z' })));
    await using lab = await signageLab(twelve('LastAccess'));
    await lab.run(at(0));
    lab.answer(twelve('LastSeen'));
    expect((await lab.run(at(1))).status).toBe('partial');
    const renamed = players({ last_seen: { as: 'last_access' } });
    for (const day of [2, 3]) {
      const { status, sources } = await lab.run(at(day), undefined, renamed);
      expect([status, sources[0]?.questions]).toEqual(['complete', []]);
    }
    const days = await lab.rows(
      'select export_date, count(last_access)::int as n from players_daily group by all order by 1',
    );
    expect(days.map(({ n }) => n)).toEqual([12, 12, 12, 12]);
    const columns = await lab.rows(
      "select distinct column_name from schema_columns where table_name = 'players' and column_name like 'last_%'",
    );
    expect(columns).toEqual([{ column_name: 'last_access' }]);
  });

  it('are read from cells where the answers are gone', async () => {
    const short = { config: { rawRetentionDays: 0 } };
    await using lab = await signageLab(served({ Id: 1, Power: 'ON' }, { Id: 2, Power: 'STANDBY' }), short);
    await lab.run(at(0));
    const told = { ...short, ...players(POWER) };
    await lab.run(at(1), undefined, told);
    const daily = 'select is_on from players_daily order by export_date, player_id';
    expect((await lab.rows(daily)).map(({ is_on }) => is_on)).toEqual([true, false, true, false]);
    expect(await lab.rows(`select * from changes where change = 'changed'`)).toEqual([]);
  });

  it('keep the words of a day whose answers are gone, if one of them means nothing, and ask', async () => {
    const short = { config: { rawRetentionDays: 0 } };
    await using lab = await signageLab(served({ Id: 1, Power: 'ON' }, { Id: 2, Power: 'FAULT' }), short);
    await lab.run(at(0));
    const said = await lab.run(at(1), undefined, { ...short, ...players(POWER) });
    const rows = await lab.rows('select is_on from players_daily order by export_date, player_id');
    expect(rows.map(({ is_on }) => is_on)).toEqual(['ON', 'FAULT', 'ON', 'FAULT']);
    expect(JSON.stringify(said)).toContain('HISTORY_LOST');
  });

  it('bring sources with other words into one column', async () => {
    const of = (source: string, ...records: readonly object[]) => ({
      [`/${source}${SIGNAGE}/Players`]: { body: JSON.stringify(records) },
    });
    const routes = {
      ...of('other', { Id: 1, Power: 'ON' }, { Id: 2, Power: 'STANDBY' }),
      ...of('plain', { Id: 1, IsOn: false }, { Id: 2, IsOn: true }),
    };
    const fleets = (other: object) => ({ fleets: { other, plain: {} } });
    await using lab = await signageLab(routes, fleets({}));
    await lab.run(at(0));
    await lab.run(at(1), undefined, fleets({ resources: { players: { columns: POWER } } }));
    const rows = await lab.rows(
      'select export_source, player_id, is_on from players_daily order by export_date, export_source, player_id',
    );
    const day = [
      { export_source: 'other', player_id: '1', is_on: true },
      { export_source: 'other', player_id: '2', is_on: false },
      { export_source: 'plain', player_id: '1', is_on: false },
      { export_source: 'plain', player_id: '2', is_on: true },
    ];
    expect(rows).toEqual([...day, ...day]);
  });

  it.each([
    [{ power: { as: 'Is On' } }, 'a name for a column'],
    [{ power: { as: 'record_key' } }, 'players has a column record_key of its own'],
    [{ power: { as: 'is_on' }, state: { as: 'is_on' } }, 'another name: power has it already'],
    [{ power: { values: { ON: true, OFF: 0 } } }, 'meanings of one kind'],
    [{ power: { values: {} } }, 'meanings of one kind'],
    [{ power: { values: { ON: null } } }, 'true, false, a number or a text'],
    [{ power: { type: 'bigint', values: { ON: true } } }, 'boolean, or left out'],
    [
      { power: { format: 'iso', values: { ON: true } } },
      'left out, because the meanings in values are not times',
    ],
  ])('%j is refused', (columns, says) => {
    const { text, file } = labFile('http://localhost:1', players(columns));
    expect(() => parseConfig(text, file)).toThrow(says);
  });
});

it('a name of its own gives the values of a source, which other sources have in another type, back to their cells', async () => {
  const pathOf = (source: string) => `/${source}${SIGNAGE}`;
  const routes = Object.fromEntries(
    [
      { source: 'good', on: true },
      { source: 'odd', on: 5 },
    ].flatMap(({ source, on }) => [
      [`${pathOf(source)}/Players`, { body: '[{"Id":1}]' }],
      [`${pathOf(source)}/Players/1/Screens`, { body: JSON.stringify([{ Id: 1, IsOn: on }]) }],
    ]),
  );
  const fleets = (odd: object) => ({ fleets: { good: {}, odd } });
  await using lab = await signageLab(routes, fleets({}));
  const [, asked] = (await lab.run(at(0))).sources;
  expect(asked?.questions).toMatchObject([
    { code: 'TYPE_DIFFERS', cures: [{}, { setting: 'resources.screens.columns.is_on.as' }] },
  ]);
  const told = fleets({ resources: { screens: { columns: { is_on: { as: 'mood' } } } } });
  const { sources } = await lab.run(at(1), undefined, told);
  expect(sources.flatMap(({ questions, drift }) => [...questions, ...drift])).toEqual([]);
  expect(
    await lab.rows(
      'select export_source as source, is_on, mood from screens_daily order by export_date, source',
    ),
  ).toEqual([
    { source: 'good', is_on: true, mood: null },
    { source: 'odd', is_on: null, mood: 5 },
    { source: 'good', is_on: true, mood: null },
    { source: 'odd', is_on: null, mood: 5 },
  ]);
  expect(await lab.rows('select * from rejects')).toEqual([]);
});
