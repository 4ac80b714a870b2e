import { expect, it } from 'vitest';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { signageViewLab, viewLab } from './view-lab.ts';

const PLAYERS = [
  { Id: 1, Name: 'Seen', City: 'Bern', LastAccess: '2026-11-20T02:00:00Z', TransferStatus: 'Pending' },
  { Id: 2, Name: 'Box', LastAccess: '0001-01-01T00:00:00Z', IsLicensed: false, TransferStatus: 'Overdue' },
];
it('daily_trend has a row of each day for a source that its runs left out: not run, and no figure', async () => {
  await using lab = await viewLab({}, { twins: true });
  const day = { players: PLAYERS, licenses: [{ Type: 'Player', TotalCount: 5, AvailableCount: 2 }] };
  const all = { ...day, twins: day };
  await lab.run('2026-11-20T03:00:00Z', all);
  await lab.run('2026-11-21T03:00:00Z', all, ['berlin']);
  const left = await lab.rows("select * from daily_trend where export_date = '2026-11-21' and runs = 0");
  const names = ['export_date', 'date', 'export_source', 'status', 'runs'];
  expect(left.map(({ export_source }) => export_source).toSorted()).toEqual(['munich', 'tresor', 'vault']);
  for (const row of left) {
    expect(row.status).toBe('left out');
    const figures = Object.entries(row).filter(([name]) => !names.includes(name));
    expect(figures.filter(([, figure]) => figure !== null)).toEqual([]);
  }
  expect(await lab.rows('select count(*)::int as n from daily_trend')).toEqual([{ n: 8 }]);
});

it('daily_trend counts 0 screens and transfers of players that have none, and nothing of a source without players', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-20T03:00:00Z', { players: PLAYERS });
  expect(
    await lab.cells(`
      select
        players, screens, screens_on, expected_screens, expected_screens_off, screens_unknown,
        pending_transfers, players_waiting, players_stuck
      from daily_trend
      order by players nulls last`),
  ).toEqual([[2, ...Array(8).fill(0)], Array(9).fill(null)]);
});

it('a transfer waits as long as before once the API no longer says when it was created', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const file = { Id: 1, Transferred: 0, Created: '2026-11-20T00:00:00Z' };
  for (const [day, queue] of [
    [21, [file]],
    [22, [file]],
    [23, [{ Id: 1, Transferred: 0 }]],
  ] as const)
    await lab.run(`2026-11-${day}T03:00:00Z`, {
      players: [{ Id: 1, LastAccess: `2026-11-${day}T03:00:00Z` }],
      pending_file_transfers: { 1: queue },
    });
  expect(
    await lab.cells(
      'select export_date, round(oldest_age_hours)::int, age_from, is_stuck from transfer_days order by 1',
    ),
  ).toEqual([
    ['2026-11-21', 27, 'API', true],
    ['2026-11-22', 51, 'API', true],
    ['2026-11-23', 75, 'API', true],
  ]);
});

it('the newest date of a table answers on the first day, too', async () => {
  await using lab = await viewLab({
    signage: { resources: { players: { columns: { seen: { type: 'bigint' } } } } },
  });
  await lab.run('2026-11-20T03:00:00Z', { players: PLAYERS.map((player) => ({ ...player, Seen: 'x' })) });
  const rows = await lab.rows(
    'select column_name, reason, raw_value, "count" from rejects where export_date = (select max(export_date) from rejects) order by 1',
  );
  expect(rows.length).toBeGreaterThan(0);
});

it.each([
  ['America/Havana', '2026-11-01T04:30:00Z', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
  ['Atlantic/Azores', '2026-10-25T00:30:00Z', '2026-10-25T00:00:00Z', '2026-10-26T01:00:00Z'],
  // This midnight comes never, so the day begins when clocks leap.
  ['America/Santiago', '2026-09-06T04:30:00Z', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z'],
])(
  'in %s a run at %s is of the day that has begun, also where its midnight comes twice',
  async (timeZone, at, from, to) => {
    await using lab = await signageViewLab({ config: { timeZone } });
    await lab.run(at, { players: [{ Id: 1, LastAccess: at }] });
    const day = from.slice(0, 10);
    expect(await lab.cells('select export_date from runs')).toEqual([[day]]);
    const ends =
      'starts_at, (select max(ends_at) from dates as before where before.ends_at <= dates.starts_at), ends_at';
    expect(await lab.cells(`select ${ends} from dates where export_date = '${day}'`)).toEqual([
      [from, from, to],
    ]);
  },
);

const players = [{ Id: 1, Name: 'P1', LastAccess: '2026-11-22T02:00:00Z' }];
const screens = { 1: [{ Id: 1, IsOn: true, LastUpdate: '2026-11-22T02:00:00Z' }] };

it.each([
  ['no run was answered before', { refused: true }, []],
  ['no run could read the screens before', { players, screens: 'denied' }, []],
  [
    'an earlier run read them without the field',
    { players, screens: { 1: [{ Id: 1, IsOn: true }] } },
    ['last_update'],
  ],
] as const)('a column is new only in a table that was read before: %s', async (_, before, expected) => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-21T03:00:00Z', before);
  await lab.run('2026-11-22T03:00:00Z', { players, screens });
  const found = await lab.cells(`select column_name from data_quality where finding = 'new column'`);
  expect(found.flat()).toEqual(expected);
  expect(await lab.cells('select new_columns from export_health')).toEqual([[expected.length]]);
});
