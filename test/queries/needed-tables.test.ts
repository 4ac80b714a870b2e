import { expect, it } from 'vitest';
import type { Lake } from '#lib/lake/lake.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { someOf } from '../support/some-of.ts';
import { viewLab } from './view-lab.ts';

it('a query opens the tables that it and its views need, and no others', async () => {
  await using lab = await viewLab();
  const LastUpdate = '2026-11-20T02:00:00Z';
  const day = {
    players: [{ Id: 1, LastAccess: LastUpdate }],
    screens: { 1: [{ Id: 1, IsOn: true, LastUpdate }] },
    licenses: [{ Type: 'Pro', TotalCount: 2, AvailableCount: 1 }],
  };
  await lab.run('2026-11-20T03:00:00Z', day);
  await lab.run('2026-11-21T03:00:00Z', day);
  /** What a query answers, and which tables and dates of them were opened for it. */
  const asked = async (sql: string) => {
    const keys: string[] = [];
    const lake: Lake = {
      ...lab.lake,
      localPaths: async (wanted) => {
        keys.push(...wanted);
        return await lab.lake.localPaths(wanted);
      },
    };
    using tables = await openTables(lake, { sql });
    const { rows } = await tables.query(sql);
    const unknown = [...(await notKnown(tables)).keys()];
    const opened = new Set(
      keys.map((key) => key.split('/').slice(1, 3).join(' ').replace('export_date=', '')),
    );
    return { rows, unknown, opened: [...opened].toSorted() };
  };

  const licences = await asked('select count(*) from Licenses');
  expect(licences).toEqual({
    rows: [[1]],
    // The lab has no city and no opening hours.
    unknown: [
      'availability',
      'group_trend',
      'off_in_hours',
      'opening_hours',
      'player_groups',
      'player_groups_daily',
      'player_places',
    ],
    opened: ['licenses 2026-11-21', 'outcomes 2026-11-21'],
  });
  const screens = await asked('select state from screen_status');
  expect(screens.rows).toEqual([['stale']]);
  expect(new Set(screens.opened.map((each) => each.split(' ')[0]))).toEqual(
    new Set(['outcomes', 'players', 'runs', 'schema_columns', 'screens']),
  );
  const names = await asked(
    "select count(*) > 30 from information_schema.tables where table_schema = 'main'",
  );
  expect(names.rows).toEqual([[true]]);

  // Since when a listing was refused is in the days of outcomes, and they are asked only where one was.
  await lab.run('2026-11-22T03:00:00Z', { ...day, licenses: 'denied' });
  const refused = await asked('select count(*) from licenses');
  expect(refused.unknown).toContain('licenses');
  expect(refused.opened).toContain('outcomes 2026-11-20');
});

it('each view alone opens all that it reads', async () => {
  await using lab = await viewLab({ config: { groups: ['City'] } });
  await lab.run('2026-11-20T03:00:00Z', { players: [{ Id: 1, City: 'Hof' }] });
  const views = await readViews(QUERIES);
  expect(views.length).toBeGreaterThan(20);
  for (const { name } of someOf(views)) {
    const sql = `select count(*) from ${name}`;
    using tables = await openTables(lab.lake, { sql });
    expect([name, (await tables.query(sql)).rows.length]).toEqual([name, 1]);
  }
});
