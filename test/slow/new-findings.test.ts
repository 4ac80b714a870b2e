import { expect, it } from 'vitest';
import { addQuery } from '#cli/query.ts';
import type { Config } from '#lib/config/config.ts';
import { localFormats } from '#lib/report/page/formats.ts';
import { verdict } from '#lib/report/page/verdict.ts';
import type { ReportColumn } from '#lib/report/report-data.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { saidBy } from '../cli/support.ts';
import { viewLab } from '../queries/view-lab.ts';
import { countsOf, reportOf } from '../report/report-of.ts';

const [FIRST, SECOND] = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;
const before = (runTime: string, hours: number) =>
  new Date(Date.parse(runTime) - hours * 3_600_000).toISOString();
const muting = (end: string, ...ids: readonly string[]): NonNullable<Config['mute']> =>
  ids.map((id) => ({ id, reason: 'rebuilt', end }));

it('a screen is stale of its own only if its player is not offline, and nothing that is muted needs attention', async () => {
  await using lab = await viewLab();
  const ago = (hours: number) => before(SECOND, hours);
  const screen = (Id: number, hours: number) => ({ Id, IsOn: true, LastUpdate: ago(hours) });
  await lab.run(SECOND, {
    players: [1, 1, 1, 50, 50].map((hours, index) => ({ Id: index + 1, LastAccess: ago(hours) })),
    screens: { 1: [screen(1, 20)], 2: [screen(1, 30), screen(2, 40)], 3: [screen(1, 1)], 4: [screen(1, 50)] },
    backup_storages: [-12, 20, 200].map((days, index) => ({ id: index + 1, expired_at: ago(-24 * days) })),
    backup_slots: { 1: [{ id: 1 }, { id: 2 }] },
  });
  const shown = async (mute: NonNullable<Config['mute']> = []) => {
    const { findings, muted } = await reportOf(lab.lake, SECOND, { mute });
    const counts = findings.filter(({ id }) => /stale|offline|expiring/.test(id));
    const idle = muted.filter(({ isIdle }) => isIdle).map(({ id }) => id);
    return { ...Object.fromEntries(counts.map(({ id, count }) => [id, count])), muted: muted.length, idle };
  };
  const due = { 'offline-players': 2, 'stale-screens': 3, 'storages-expiring': 2, muted: 0, idle: [] };
  expect(await shown()).toEqual(due);
  const ids = ['berlin/2', 'berlin/1/1', 'berlin/4', 'vault/1', 'berlin/99'];
  const wanted = { 'offline-players': 1, 'storages-expiring': 1, muted: 5, idle: ['berlin/99'] };
  expect(await shown(muting('2026-11-21', ...ids))).toEqual(wanted);
  expect(await shown(muting('2026-11-20', ...ids))).toEqual(await shown());
});

it('names the new problems first, then those that last longest', async () => {
  await using lab = await viewLab();
  const players = (runTime: string, hours: readonly number[]) =>
    hours.map((each, index) => ({ Id: index + 1, Name: `P${index + 1}`, LastAccess: before(runTime, each) }));
  await lab.run(FIRST, { players: players(FIRST, [30, 60, 90, 120, 1]) });
  const named = async () => {
    const { findings } = await reportOf(lab.lake, SECOND);
    return findings.find(({ id }) => id === 'offline-players')?.worst.map(({ name }) => name);
  };
  await lab.run(SECOND, { players: players(SECOND, [54, 84, 114, 144, 9]) });
  expect(await named()).toEqual(['P5', 'P4', 'P3']);
});

it('a lake of backup alone names what backups use; storages that are locked or in maintenance have a card and their state', async () => {
  await using lab = await viewLab({ fleets: {} });
  const told = { locked: false, maintenance: false };
  await lab.run(SECOND, {
    backup_storages: [
      { id: 1, customer_name: 'well', size: 300, ...told },
      { id: 2, customer_name: 'closed', size: 200, ...told, locked: true },
      { id: 3, customer_name: 'repaired', size: 100, ...told, maintenance: true },
    ],
    backup_slots: {
      2: [
        { id: 1, size: 100, storage_used: 5 },
        { id: 2, size: 100, storage_used: 20 },
      ],
    },
  });
  const data = await reportOf(lab.lake, SECOND);
  expect(data.findings.find(({ id }) => id === 'storages-locked')).toMatchObject({
    ...{ count: 2, table: 'storages' },
    worst: [
      { name: 'closed', says: 'locked' },
      { name: 'repaired', says: 'in maintenance' },
    ],
  });
  const { columns = [], rows = [] } = data.tables.find(({ id }) => id === 'storages') ?? {};
  const states = rows.map((row) => row[columns.findIndex(({ label }) => label === 'State')]);
  expect(states.toSorted()).toEqual(['in maintenance', 'locked', null]);
  expect(verdict(data, localFormats('en-GB', 'UTC'))).toMatch(
    /^Backups use 25 bytes? of 200 bytes?; data of/,
  );
});

it('news of what is muted, and of its screens, is counted for itself: messages leave it out', async () => {
  await using lab = await viewLab({ backup: null });
  for (const runTime of [FIRST, SECOND]) {
    const at = before(runTime, runTime === FIRST ? 1 : 20);
    const screens = (...ids: readonly number[]) => ids.map((Id) => ({ Id, IsOn: true, LastUpdate: at }));
    await lab.run(runTime, {
      players: [1, 2].map((Id) => ({ Id, LastAccess: at })),
      screens: { 1: runTime === FIRST ? screens(1, 2) : screens(1), 2: screens(1) },
    });
  }
  const mute = muting('2026-12-01', 'berlin/1', 'berlin/2/1');
  const data = await reportOf(lab.lake, SECOND, { mute });
  const counts = Object.entries(countsOf(data)).filter(([, count]) => count);
  const others = { 'screen stale': 2, 'screen removed': 1 };
  expect(Object.fromEntries(counts)).toEqual({ 'player offline': 2, ...others });
  expect(data.news.muted).toEqual({ 'player offline': 1, ...others });
});

it('the worst are named with their source where two sources may have the same names', async () => {
  await using lab = await viewLab({ backup: null }, { twins: true });
  const lobby = (hours: number) => [{ Id: 1, Name: 'Lobby', LastAccess: before(FIRST, hours) }];
  const pending_file_transfers = { 1: [{ Id: 1, Created: before(FIRST, 100) }] };
  await lab.run(FIRST, { players: lobby(20), pending_file_transfers, twins: { players: lobby(30) } });
  const { findings } = await reportOf(lab.lake, FIRST);
  const worstOf = (card: string) => findings.find(({ id }) => id === card)?.worst.map(({ name }) => name);
  expect(worstOf('offline-players')).toEqual(['Lobby (munich)', 'Lobby (berlin)']);
  expect(worstOf('stuck-transfers')).toEqual(['Lobby (berlin)']);
});

it('the page compares sources by the screens of their newest day, and groups the players of each by their own', async () => {
  await using lab = await viewLab({ config: { groups: ['Region'] } }, { twins: true });
  // By player: on, off, stale, not known.
  const day = (runTime: string, counts: readonly number[], Region = 'Hof') => {
    const now = before(runTime, 1 / 60);
    const kinds = [
      { IsOn: true, LastUpdate: now },
      { IsOn: false, LastUpdate: now },
      { IsOn: true, LastUpdate: '2026-11-01T03:00:00Z' },
      { IsOn: true, LastUpdate: null },
    ];
    const screens = counts.map((count, kind) =>
      Array.from({ length: count }, (_, index) => ({ Id: index + 1, ...kinds[kind] })),
    );
    return {
      players: screens.map((_, index) => ({ Id: index + 1, Region, LastAccess: now })),
      screens: Object.fromEntries(screens.map((of, index) => [index + 1, of])),
    };
  };
  const few = [1, 2, 3, 4];
  const many = few.toReversed();
  await lab.run(FIRST, { ...day(FIRST, few), twins: day(FIRST, many, 'Ulm') });
  await lab.run(SECOND, { ...day(SECOND, many), twins: day(SECOND, few, 'Ulm') });
  const { sources, tables: lists } = await reportOf(lab.lake, SECOND);
  expect(sources).toEqual([
    { source: 'berlin', on: 4, off: 3, stale: 2, unknown: 1 },
    { source: 'munich', on: 1, off: 2, stale: 3, unknown: 4 },
  ]);
  const screens = lists.find(({ id }) => id === 'screens');
  const at = (column: (of: ReportColumn) => boolean) => screens?.columns.findIndex(column) ?? -1;
  const [source, region] = [at(({ is }) => is === 'source'), at(({ group }) => group === 'region')];
  const regions = screens?.rows.map((row) => `${row[source]} ${row[region]}`).sort();
  // Of each those that are off or stale.
  expect(regions).toEqual([...Array(5).fill('berlin Hof'), ...Array(5).fill('munich Ulm')]);
  // Each row could be of either: without its source two players of one name are not told apart.
  for (const id of ['screens', 'players', 'licenses', 'storages']) {
    const columns = lists.find((list) => list.id === id)?.columns;
    expect([id, columns?.find(({ is }) => is === 'source')?.place]).toEqual([id, 'telling']);
  }
});

it('a view that is asked for by its name tells what harms most first, in an order that leaves nothing to chance', async () => {
  await using lab = await viewLab();
  const now = before(SECOND, 1 / 6);
  const days = (count: number) => before(SECOND, 24 * count);
  const slot = ([customer_name, storage_used]: readonly [string, number], at: number) => {
    return { id: at + 1, customer_name, size: 10, storage_used };
  };
  // Ids and names are in the opposite order of what harms.
  const seen = [days(20), now, '0001-01-01T00:00:00Z', days(1), days(2)];
  const switched = [days(20), before(SECOND, 2), days(1)];
  await lab.run(SECOND, {
    players: seen.map((LastAccess, at) => {
      return { Id: at + 1, Name: `P${at + 1}`, LastAccess, BoxState: at === 0 ? 'Reserved' : 'Activated' };
    }),
    screens: {
      2: switched.map((since, at) => ({
        Id: at + 1,
        IsOn: at === 0,
        LastUpdate: now,
        LastStatusChange: since,
      })),
    },
    licenses: [9, 1].map((AvailableCount, at) => ({ Type: 'AB'[at], TotalCount: 10, AvailableCount })),
    backup_storages: [{ id: 1, customer_name: 'S', size: 100, storage_reserved: 100 }],
    backup_slots: { 1: Object.entries({ half: 5, never: 0, full: 10 }).map(slot) },
  });
  const asked = async (view: string, column: string) => {
    const said = JSON.parse(await saidBy(addQuery, 'query', view, '--lake', lab.lake.name, '--json'));
    return said.map((row: Record<string, unknown>) => row[column]);
  };
  // Who is longest away, who never came, who is well; who is not expected is not a fault.
  expect(await asked('player_health', 'player_name')).toEqual(['P5', 'P4', 'P3', 'P2', 'P1']);
  expect(await asked('SCREEN_STATUS', 'screen')).toEqual(['2/3', '2/2', '2/1']);
  expect(await asked('license_utilisation', 'license_type')).toEqual(['B', 'A']);
  expect(await asked('backup_usage', 'slot_name')).toEqual(['full', 'never', 'half']);
  using tables = await openTables(lab.lake);
  expect(tables.views.length).toBeGreaterThan(10);
  for (const { name, order } of tables.views) {
    const peers = `select count(*) over (order by ${order} range current row) as peers from ${name}`;
    const { rows } = await tables.query(`select max(peers) from (${peers})`);
    expect([name, Number(rows[0]?.[0] ?? 1)]).toEqual([name, 1]);
  }
});
