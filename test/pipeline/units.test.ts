import { expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';
import { temporaryFolder } from '../support/lake-children.ts';

const PLAYERS = Array.from({ length: 12 }, (_, index) => ({ Id: index + 1, Name: `P${index}` }));
const routes = fleetRoutes(PLAYERS, (Of) => [
  { Id: 1, Of, Checked: '2026-11-20T01:02:03.1234567Z' },
  { Id: 2, Of, Checked: '2026-11-20T01:02:03Z' },
]);

it('a table of several units, published side by side, has every row once and counts as one', async () => {
  await using folder = await temporaryFolder();
  const lake = folderLake(folder.path);
  await using lab = await signageLab(routes, {}, { lake, unitBytes: 700, publishWidth: 3 });
  const { tables, status } = await lab.run('2026-11-20T03:00:00Z');
  const parts = (await readHead(lake))?.head.tables.screens?.newest.parts ?? [];
  expect(parts.length).toBeGreaterThan(1);
  expect(parts).toEqual([...parts.keys()]);
  const screens = { rows: 24, rejected: 0 };
  expect({ status, screens: tables.screens }).toMatchObject({ status: 'complete', screens });
  const keys = await lab.rows('select count(distinct record_key) as keys, count(*) as n from screens');
  expect(keys).toEqual([{ keys: 24, n: 24 }]);
  // Digits that were cut are counted, a row a column.
  expect(
    await lab.rows('select table_name, record_key, column_name, raw_value, reason, count from rejects'),
  ).toEqual([
    {
      table_name: 'screens',
      record_key: null,
      column_name: 'checked',
      raw_value: null,
      reason: 'precision',
      count: 12,
    },
  ]);

  // What is carried over of one player is carried over by the unit of that player alone.
  const denied = { [`${SIGNAGE}/Players/3/Screens`]: { status: 403, body: '{}' } };
  const second = await lab.run('2026-11-21T03:00:00Z', { ...routes, ...denied });
  expect(((await readHead(lake))?.head.tables.screens?.newest.parts ?? []).length).toBeGreaterThan(1);
  expect(second.tables.screens).toMatchObject({ rows: 24, added: 0, removed: 0, changed: 0 });
  expect(
    await lab.rows(`
      select
        count(distinct record_key) as keys,
        count(*) as n,
        string_agg(distinct player_id) filter (export_run_id = '20261120T030000Z') as carried
      from screens`),
  ).toEqual([{ keys: 24, n: 24, carried: '3' }]);
});

it('coverage counts what was promised: the children of players that a listing lacks count too', async () => {
  await using lab = await signageViewLab();
  const day = (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    return {
      players: ids.map((Id) => ({ Id, Name: `P${Id}` })),
      screens: Object.fromEntries(ids.map((id) => [id, [{ Id: 1, IsOn: true }]])),
    };
  };
  const coverage = async (at: string, count: number) => {
    const { sources } = await lab.run(at, day(count));
    return sources[0]?.coverage;
  };
  expect(await coverage('2026-11-20T03:00:00Z', 24)).toBe(1);
  // Licences and groups, and two listings of each of 6 players, where players and two of each of 24 were promised.
  expect(await coverage('2026-11-21T03:00:00Z', 6)).toBe((2 + 2 * 6) / (3 + 2 * 24));
  expect(await coverage('2026-11-22T03:00:00Z', 24)).toBe(1);
});
