import { describe, expect, it } from 'vitest';
import { parseConfig } from '#lib/config/parse-config.ts';
import { labFile } from '../support/export-lab.ts';
import { type FixtureLab, type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';

const served = (...records: readonly object[]): Routes =>
  fleetRoutes(
    records.map((each, index) => ({ Id: index + 1, ...each })),
    () => [],
  );
const columnsOf = (columns: object) => ({ resources: { players: { columns } } });
const players = (columns: object) => ({ signage: columnsOf(columns) });
const POWER = { power: { as: 'is_on', values: { ON: true, STANDBY: false } } };
const at = (day: number) => `2026-11-1${day}T03:00:00Z`;
/** What each player was on each day, by its source. */
const daily = (lab: FixtureLab) =>
  lab.flat(
    "select concat(export_source, ' ', coalesce(is_on::varchar, 'null')) from players_daily order by export_date, export_source, player_id",
  );

describe('as and values', () => {
  it('a word that means nothing is null and stands in rejects, under the name that the config gives', async () => {
    const records = [{ Power: 'ON' }, { Power: 'STANDBY' }, { Power: 'FAULT' }, {}];
    await using lab = await signageLab(served(...records), players(POWER));
    await lab.run(at(0));
    expect(await daily(lab)).toEqual(['berlin true', 'berlin false', 'berlin null', 'berlin null']);
    const rejects = await lab.flat('select column_name, raw_value, reason from rejects');
    expect(rejects).toEqual(['is_on', 'FAULT', 'type']);
  });

  it('`as` with the name of a field that is gone goes on with its column and its history', async () => {
    const twelve = (field: string) => served(...Array(12).fill({ [field]: '2026-11-10T02:00:00Z' }));
    await using lab = await signageLab(twelve('LastAccess'));
    await lab.run(at(0));
    expect((await lab.run(at(1), twelve('LastSeen'))).status).toBe('partial');
    for (const day of [2, 3]) {
      const renamed = players({ last_seen: { as: 'last_access' } });
      const { status, sources } = await lab.run(at(day), undefined, renamed);
      expect([status, sources[0]?.questions]).toEqual(['complete', []]);
    }
    const days = 'select count(last_access)::int as n from players_daily group by export_date';
    expect(await lab.flat(days)).toEqual([12, 12, 12, 12]);
    const columns = "select distinct column_name from schema_columns where table_name = 'players'";
    expect(await lab.flat(`${columns} and column_name like 'last_%'`)).toEqual(['last_access']);
  });

  it.each([
    ['are read from cells', 'STANDBY', ['true', 'false'], false],
    ['keep the words of a day if one of them means nothing, and ask,', 'FAULT', ['ON', 'FAULT'], true],
  ])('%s where the answers are gone', async (_, word, shown, isAsked) => {
    const short = { config: { rawRetentionDays: 0 } };
    await using lab = await signageLab(served({ Power: 'ON' }, { Power: word }), short);
    await lab.run(at(0));
    const said = await lab.run(at(1), undefined, { ...short, ...players(POWER) });
    expect(await daily(lab)).toEqual([...shown, ...shown].map((value) => `berlin ${value}`));
    expect(JSON.stringify(said).includes('HISTORY_LOST')).toBe(isAsked);
    expect(await lab.rows("select * from changes where change = 'changed'")).toEqual([]);
  });

  it('bring sources with other words into one column', async () => {
    const of = (source: string, ...records: readonly object[]) =>
      Object.entries(served(...records)).map(([path, answer]) => [`/${source}${path}`, answer] as const);
    const routes = [
      ...of('other', { Power: 'ON' }, { Power: 'STANDBY' }),
      ...of('plain', { IsOn: false }, { IsOn: true }),
    ];
    const fleets = (other: object) => ({ fleets: { other, plain: {} } });
    await using lab = await signageLab(Object.fromEntries(routes), fleets({}));
    await lab.run(at(0));
    await lab.run(at(1), undefined, fleets(columnsOf(POWER)));
    const day = ['other true', 'other false', 'plain false', 'plain true'];
    expect(await daily(lab)).toEqual([...day, ...day]);
  });

  it.each([
    [{ power: { as: 'Is On' } }, 'a name for a column'],
    [{ power: { as: 'record_key' } }, 'players has a column record_key of its own'],
    [{ power: { as: 'is_on' }, state: { as: 'is_on' } }, 'another name: power has it already'],
    [{ power: { values: { ON: true, OFF: 0 } } }, 'meanings of one kind'],
    [{ power: { values: {} } }, 'meanings of one kind'],
    [{ power: { values: { ON: null } } }, 'true, false, a number or a text'],
    [{ power: { type: 'bigint', values: { ON: true } } }, 'boolean, or left out'],
    [{ power: { format: 'iso', values: { ON: true } } }, 'because the meanings in values are not times'],
  ])('%j is refused', (columns, says) => {
    const { text, file } = labFile('http://localhost:1', players(columns));
    expect(() => parseConfig(text, file)).toThrow(says);
  });
});

it('a name of its own gives the values of a source, which other sources have in another type, back to their cells', async () => {
  const screens = (source: string, on: unknown) =>
    fleetRoutes([{ Id: 1 }], () => [{ Id: 1, IsOn: on }], `/${source}${SIGNAGE}`);
  const fleets = (odd: object) => ({ fleets: { good: {}, odd } });
  await using lab = await signageLab({ ...screens('good', true), ...screens('odd', 5) }, fleets({}));
  const [, asked] = (await lab.run(at(0))).sources;
  expect(asked?.questions).toMatchObject([
    { code: 'TYPE_DIFFERS', cures: [{}, { setting: 'resources.screens.columns.is_on.as' }] },
  ]);
  const told = fleets({ resources: { screens: { columns: { is_on: { as: 'mood' } } } } });
  const { sources } = await lab.run(at(1), undefined, told);
  expect(sources.flatMap(({ questions, drift }) => [...questions, ...drift])).toEqual([]);
  const shown = 'select export_source as source, is_on, mood from screens_daily order by export_date, source';
  const day = [...['good', true, null], ...['odd', null, 5]];
  expect(await lab.flat(shown)).toEqual([...day, ...day]);
  expect(await lab.rows('select * from rejects')).toEqual([]);
});
