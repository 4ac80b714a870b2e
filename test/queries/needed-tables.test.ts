import { expect, it } from 'vitest';
import { parseKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables, quarterBefore } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { told } from '#lib/views/sentence.ts';
import { readViews } from '#lib/views/view-file.ts';
import { wantedTypes } from '#lib/views/wanted-types.ts';
import { exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';
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

it('tables that are opened since a date fetch no file of an earlier one, but of runs', {
  timeout: 120_000,
}, async () => {
  await using lab = await exportLab({ players: 5 }, SIGNAGE_ALONE);
  for (const day of ['10', '11', '12']) await lab.run(`2026-11-${day}T03:00:00Z`);
  const fetched = new Set<string>();
  const lake: Lake = {
    ...lab.lake,
    localPaths: async (keys) => {
      for (const key of keys) {
        const parsed = parseKey(key);
        if (parsed?.kind === 'table')
          fetched.add(`${parsed.table === 'runs' ? 'runs' : 'others'} ${parsed.exportDate}`);
      }
      return await lab.lake.localPaths(keys);
    },
  };
  await using tables = await openTables(lake, { since: '2026-11-12' });
  expect([...fetched].sort()).toEqual([
    'others 2026-11-12',
    'runs 2026-11-10',
    'runs 2026-11-11',
    'runs 2026-11-12',
  ]);
  const [[days, runs] = []] = (
    await tables.query(
      'select (select count(distinct export_date) from screens_daily), (select max(runs) from export_health)',
    )
  ).rows;
  expect([Number(days), Number(runs)]).toEqual([1, 3]);
});

it('what was not answered since then is not said to have never been answered', {
  timeout: 120_000,
}, async () => {
  await using lab = await exportLab({ players: 5 }, SIGNAGE_ALONE);
  await lab.run('2026-11-10T03:00:00Z');
  await lab.simulator.setFaults('denied:1@resource=licenses');
  await lab.run('2026-11-11T03:00:00Z');
  const said = async (since?: string) => {
    await using tables = await openTables(lab.lake, since === undefined ? {} : { since });
    return [...(await notKnown(tables)).values()]
      .flat()
      .map((each) => told(each))
      .join(' ');
  };
  expect(await said()).toContain('last answered on 2026-11-10');
  expect(await said('2026-11-11')).toContain('not answered since 2026-11-11');
});

it('a quarter of a year is 91 days', () => {
  expect(quarterBefore('2026-03-01')).toBe('2025-11-30');
});

it('views want times, yes and no, and what they need; the number of a screen may be text', async () => {
  const wanted = wantedTypes(await readViews(QUERIES));
  expect(Object.fromEntries(wanted)).toMatchObject({
    'screens.is_on': 'boolean',
    'screens.last_update': 'timestamp',
    'screens.last_status_change': 'timestamp',
    'players.is_installed': 'boolean',
    'backup_slots.storage_used': 'bigint',
  });
  expect([...wanted.keys()]).not.toContain('screens.number');
  expect([...wanted.values()]).not.toContain('varchar');
});

it('all views want a column in one type', async () => {
  const views = await readViews(QUERIES);
  expect(wantedTypes(views)).toEqual(wantedTypes(views.toReversed()));
});
