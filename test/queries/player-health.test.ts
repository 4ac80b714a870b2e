import { expect, it } from 'vitest';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { signageViewLab, viewLab } from './view-lab.ts';

const NEVER = '0001-01-01T00:00:00Z';

it('player_health and player_days agree on many players of which none was seen yet', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const players = Array.from({ length: 12 }, (_, index) => ({ Id: index + 1, LastAccess: NEVER }));
  for (const day of [20, 21]) await lab.run(`2026-11-${day}T03:00:00Z`, { players });
  const counted = (view: string) => lab.cells(`select health, count(*)::int from ${view} group by health`);
  expect(await counted('player_health')).toEqual([['never seen', 12]]);
  expect(await counted('player_days')).toEqual([['never seen', 24]]);
  const LastAccess = '2026-11-22T02:00:00Z';
  const seen = players.map((player) => ({ ...player, LastAccess }));
  for (const day of [22, 23]) await lab.run(`2026-11-${day}T03:00:00Z`, { players: seen });
  expect(await counted("player_days where export_date = '2026-11-21'")).toEqual([['never seen', 12]]);
  // The API no longer says when it saw them.
  await lab.run('2026-11-24T03:00:00Z', { players });
  expect(await counted('player_health')).toEqual([['unknown', 12]]);
  expect(await counted("player_days where export_date = '2026-11-24'")).toEqual([['unknown', 12]]);
});

it('players are unknown before the API says when it saw them, and after it said so last, whatever another one says', async () => {
  await using lab = await viewLab({}, { twins: true });
  const players = [1, 2, 3].map((Id) => ({ Id }));
  const told: unknown[][] = [];
  for (const [day, state] of [
    [20, 'unknown'],
    [21, 'online'],
    [22, 'online'],
    [23, 'unknown'],
  ] as const) {
    const seen = players.map((each) => ({ ...each, LastAccess: `2026-11-${day}T02:00:00Z` }));
    const own = state === 'online' ? seen : players;
    await lab.run(`2026-11-${day}T03:00:00Z`, { players: own, twins: { players: seen } });
    told.push([`2026-11-${day}`, state, 3]);
    const states = `
      select export_date, health, count(*)::int from player_days
      where export_source = 'berlin' group by all order by all`;
    expect(await lab.cells(states)).toEqual(told);
  }
  const since = `
    select export_source, first_seen[7:8], last_seen[7:8] from schema_columns
    where column_name = 'last_access' order by all`;
  expect(await lab.cells(since)).toEqual([
    ['berlin', '21', '22'],
    ['munich', '20', '23'],
  ]);
});

it('a field that gets the name of another source was told before', async () => {
  await using lab = await viewLab({}, { twins: true });
  const LastAccess = '2026-11-20T02:00:00Z';
  const columns = { seen_at: { as: 'last_access' } };
  const settings = { resources: { players: { drop: [], mask: [], columns } } };
  for (const [day, config] of [
    [20, {}],
    [21, { settings }],
  ] as const) {
    const twins = {
      players: [
        { Id: 1, SeenAt: LastAccess },
        { Id: 2, SeenAt: NEVER },
      ],
    };
    await lab.run(`2026-11-${day}T03:00:00Z`, { players: [{ Id: 1, LastAccess }], twins, ...config });
  }
  const states =
    "select export_date, health from player_days where export_source = 'munich' and player_id = '2' order by 1";
  expect(await lab.cells(states)).toEqual([
    ['2026-11-20', 'never seen'],
    ['2026-11-21', 'never seen'],
  ]);
});

it('a box state in other words speaks against no player, and data_quality lists it', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const words = ['Aktiv', 'Deactivated', 'deleted', 'NEW', 'Reserved', 'undefined'];
  const players = words.map((BoxState, place) => ({ Id: place + 1, BoxState, LastAccess: NEVER }));
  await lab.run('2026-11-21T03:00:00Z', { players });
  for (const view of ['player_health', 'player_days']) {
    const expected = await lab.cells(`select player_id from ${view} where is_expected order by 1`);
    expect(expected, view).toEqual([['1'], ['2']]);
  }
  expect(
    await lab.cells(`select distinct value from data_quality where finding = 'unknown value' order by value`),
  ).toEqual([['Aktiv'], ['Deactivated']]);
});

it('a record that holds a number or a list of transfers stands for so many files, in each view', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-21T03:00:00Z', {
    players: [1, 2, 3, 4].map((Id) => ({ Id })),
    pending_file_transfers: {
      1: [{ Id: 1, Transfers: 5 }, { Id: 2 }, { Id: 5, Transfers: -2 }],
      2: [{ Id: 3, Transfers: [{ Name: 'a' }, { Name: 'b' }] }],
      3: [{ Id: 4, Transfers: 0 }],
    },
  });
  const counted = (column: string, view: string) =>
    lab.cells(`select player_id, ${column} from ${view} where ${column} > 0 order by player_id`);
  const files = [
    ['1', 6],
    ['2', 2],
  ];
  expect(await counted('pending_transfers', 'player_health')).toEqual(files);
  expect(await counted('pending', 'stuck_transfers')).toEqual(files);
  expect(await counted('pending', 'transfer_days')).toEqual(files);
  expect(await lab.cells('select pending_transfers from daily_trend')).toEqual([[8]]);
  // A record of no file is an answer too.
  expect(
    await lab.cells("select pending_transfers from player_health where player_id in ('3', '4')"),
  ).toEqual([[0], [0]]);
});

it('no view tells hours below 0 where the clock of the server is ahead', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const at = '2026-11-21T03:00:00Z';
  const ahead = '2026-11-21T05:00:00Z';
  const before = '2026-11-21T02:00:00Z';
  await lab.run(at, {
    players: [ahead, before].map((LastAccess, index) => ({ Id: index + 1, LastAccess })),
    screens: Object.fromEntries(
      [ahead, before].map((time, index) => [
        index + 1,
        [{ Id: 1, IsOn: true, LastUpdate: time, LastStatusChange: time }],
      ]),
    ),
    pending_file_transfers: { 1: [{ Id: 1, Created: ahead }], 2: [{ Id: 2, Created: before }] },
  });
  for (const [view, column] of [
    ['player_health', 'offline_hours'],
    ['player_days', 'offline_hours'],
    ['screen_status', 'hours_in_state'],
    ['screen_days', 'silent_hours'],
    ['stuck_transfers', 'oldest_age_hours'],
    ['stuck_transfers', 'idle_hours'],
    ['transfer_days', 'oldest_age_hours'],
    ['transfer_days', 'idle_hours'],
  ])
    expect(await lab.cells(`select ${column} from ${view} order by player_id`), view).toEqual([[0], [1]]);
});
