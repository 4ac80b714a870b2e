import { describe, expect, it } from 'vitest';
import { type Day, viewLab } from '../queries/view-lab.ts';

const NEVER = '0001-01-01T00:00:00Z';

/** Two players, three screens, a licence and a slot, with what changed since. */
const first: Day = {
  players: [
    {
      Id: 1,
      Name: 'A',
      LastAccess: '2026-11-20T02:00:00Z',
      BoxState: 'Activated',
      LicenseType: 'Player',
      BoxId: 'X',
    },
    { Id: 2, Name: 'B', LastAccess: NEVER, BoxState: 'New', LicenseType: 'Unlisted', BoxId: 'X' },
  ],
  screens: {
    1: [
      { Id: 1, Number: 1, IsOn: true, LastUpdate: '2026-11-20T02:00:00Z' },
      { Id: 1, Number: 2, IsOn: false, LastUpdate: '2026-11-20T02:00:00Z' },
    ],
    2: [{ Id: 1, Number: 1, IsOn: true, LastUpdate: '2026-11-01T00:00:00Z' }],
  },
  pending_file_transfers: { 1: [{ Id: 5 }, { Id: 6 }] },
  licenses: [{ Type: 'Player', TotalCount: 10, AvailableCount: 7 }],
  backup_storages: [{ id: 9, customer_name: 'S' }],
  backup_slots: { 9: [{ id: 1, size: 1000, storage_used: 400 }] },
};

const second: Day = {
  ...first,
  players: [
    {
      Id: 1,
      Name: 'A',
      LastAccess: '2026-11-20T02:00:00Z',
      BoxState: 'Odd',
      LicenseType: 'Player',
      Extra: 1,
    },
    { Id: 3, Name: 'C', LastAccess: '2026-11-22T02:00:00Z', BoxState: 'Activated', TransferStatus: 'Weird' },
  ],
  screens: { 1: 'denied', 3: [{ Id: 1, Number: 1, IsOn: true, LastUpdate: '2026-11-22T02:00:00Z' }] },
  pending_file_transfers: {},
};

it('no column is new in the first run that a source answered', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-20T03:00:00Z', { ...first, refused: true });
  await lab.run('2026-11-21T03:00:00Z', first);
  const sources = await lab.rows('select distinct new_columns::int as n from export_health');
  expect(sources).toEqual([{ n: 0 }]);
});

describe('daily_trend', () => {
  it('counts each day by state; what was not asked is unknown, and what a source has not is null', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-20T03:00:00Z', first);
    await lab.run('2026-11-22T03:00:00Z', second);
    const rows = await lab.rows('select * from daily_trend order by export_source, export_date');
    const told = rows.map((row) => [
      row.export_source,
      row.export_date,
      [row.players, row.players_online, row.players_offline, row.players_never_seen],
      [row.players_added, row.players_removed],
      [row.screens, row.screens_on, row.screens_off, row.screens_stale, row.screens_unknown],
      [row.pending_transfers, row.licenses_used, row.backup_used],
    ]);
    expect(told).toEqual([
      ['berlin', '2026-11-20', [2, 1, 0, 1], [0, 0], [3, 1, 1, 1, 0], [2, 3, null]],
      // The two screens of player 1 are of the run before; player 2 went with its screen, player 3 came with one.
      ['berlin', '2026-11-22', [2, 1, 1, 0], [1, 1], [3, 1, 0, 0, 2], [0, 3, null]],
      [
        'vault',
        '2026-11-20',
        [null, null, null, null],
        [null, null],
        [null, null, null, null, null],
        [null, null, 400],
      ],
      [
        'vault',
        '2026-11-22',
        [null, null, null, null],
        [null, null],
        [null, null, null, null, null],
        [null, null, 400],
      ],
    ]);
  });
});

describe('R11: no day has figures of another day as if it had measured them', () => {
  const figures = async (days: readonly (readonly [string, Day])[]) => {
    await using lab = await viewLab();
    for (const [at, day] of days) await lab.run(at, day);
    const rows = await lab.rows(`
      select
        sum(pending_transfers)::int as pending, sum(players_waiting)::int as waiting, sum(players_stuck)::int as stuck,
        sum(licenses_used)::int as licences, sum(backup_used)::int as backup
      from daily_trend
      where export_date = '2026-11-22'`);
    return rows[0];
  };
  const [monday, later] = ['2026-11-20T03:00:00Z', '2026-11-22T03:00:00Z'] as const;
  const queue = [{ Id: 5, Created: '2026-11-01T00:00:00Z' }];
  const calm: Day = { ...first, pending_file_transfers: { 1: queue } };
  const measured = { pending: 1, waiting: 1, stuck: 1, licences: 3, backup: 400 };
  const unknown = { pending: null, waiting: null, stuck: null, licences: null, backup: null };

  it.each<readonly [string, Day, object]>([
    ['all is answered', calm, measured],
    ['all is refused', { refused: true }, unknown],
    [
      'these listings are refused',
      {
        ...calm,
        licenses: 'denied',
        pending_file_transfers: { 1: 'denied', 2: 'denied' },
        backup_slots: { 9: 'denied' },
      },
      unknown,
    ],
    [
      'the queue of another player is refused: of the others it is known',
      { ...calm, pending_file_transfers: { 1: queue, 2: 'denied' } },
      measured,
    ],
    [
      'nothing is known to be stuck where a queue is refused',
      { ...calm, pending_file_transfers: { 1: 'denied' } },
      { ...measured, pending: null, waiting: null, stuck: null },
    ],
  ])('%s', async (_, day, expected) => {
    expect(
      await figures([
        [monday, calm],
        [later, day],
      ]),
    ).toEqual(expected);
  });

  it('a later run of the day that fails takes no figure back', async () => {
    expect(
      await figures([
        [monday, calm],
        [later, calm],
        ['2026-11-22T15:00:00Z', { refused: true }],
      ]),
    ).toEqual(measured);
  });
});

describe('export_health', () => {
  it('says how fresh and complete each source is, and what is new', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-20T03:00:00Z', first);
    const [only] = await lab.rows("select * from export_health where export_source = 'berlin'");
    expect(only).toMatchObject({ runs: 1, new_columns: 0, coverage: 1, status: 'complete' });
    await lab.run('2026-11-22T03:00:00Z', second);
    const [row] = await lab.rows("select * from export_health where export_source = 'berlin'");
    // AppGroups, Licenses, Players, and two children of each of two players: one of these 7 was denied.
    expect(row).toMatchObject({
      export_run_id: '20261122T030000Z',
      // Coverage is below minCoverage.
      status: 'failed',
      denied: 1,
      failed: 0,
      runs: 2,
      // Extra and TransferStatus.
      new_columns: 2,
      last_complete_at: '2026-11-20T03:00:00Z',
    });
    expect(row?.coverage).toBeCloseTo(6 / 7, 10);
    const hours = (Date.now() - Date.parse('2026-11-22T03:00:00Z')) / 3_600_000;
    expect(Math.abs(Number(row?.hours_since_run) - hours)).toBeLessThan(0.1);
  });
});

describe('export_health where nothing answers', () => {
  it('is as fresh as the last listing that was answered, and has no age where none ever was', async () => {
    await using lab = await viewLab();
    const times = () =>
      lab.rows(`
        select export_run_id, observed_at, hours_since_run is null as is_ageless
        from export_health
        where export_source = 'berlin'`);
    await lab.run('2026-11-19T03:00:00Z', { refused: true });
    expect(await times()).toEqual([
      { export_run_id: '20261119T030000Z', observed_at: null, is_ageless: true },
    ]);
    await lab.run('2026-11-20T03:00:00Z', first);
    await lab.run('2026-11-21T03:00:00Z', { refused: true });
    await lab.run('2026-11-22T03:00:00Z', { refused: true });
    expect(await times()).toEqual([
      { export_run_id: '20261122T030000Z', observed_at: '2026-11-20T03:00:00Z', is_ageless: false },
    ]);
    // The run itself was answered nothing, but took its time.
    expect(
      await lab.rows(`
        select observed_at, duration_seconds from runs
        where export_source = 'berlin' and export_run_id = '20261122T030000Z'`),
    ).toEqual([{ observed_at: null, duration_seconds: 0 }]);
  });
});

describe('data_quality', () => {
  it('finds keys without a match, duplicates, unknown values, new columns, and what was not collected', async () => {
    await using lab = await viewLab();
    await lab.run('2026-11-20T03:00:00Z', first);
    const findings = () =>
      lab.rows(`
        select finding, table_name, column_name, "value", records
        from data_quality
        where finding not like 'provisional%'
        order by finding, table_name, column_name, "value"`);
    expect(await findings()).toEqual([
      { finding: 'duplicate id', table_name: 'players', column_name: 'box_id', value: 'X', records: 2 },
      {
        finding: 'reject: sentinel',
        table_name: 'players',
        column_name: 'last_access',
        value: NEVER,
        records: 1,
      },
      {
        finding: 'unmatched key',
        table_name: 'players',
        column_name: 'license_type',
        value: 'Unlisted',
        records: 1,
      },
    ]);
    await lab.run('2026-11-22T03:00:00Z', second);
    const rows = await findings();
    expect(
      rows.map(({ finding, table_name, column_name, value }) => [finding, table_name, column_name, value]),
    ).toEqual([
      ['carried rows', 'screens', 'export_run_id', '20261120T030000Z'],
      ['new column', 'players', 'extra', 'Extra'],
      ['new column', 'players', 'transfer_status', 'TransferStatus'],
      ['not collected: denied', 'screens', null, rows[3]?.value],
      ['unknown value', 'players', 'box_state', 'Odd'],
      ['unknown value', 'players', 'transfer_status', 'Weird'],
    ]);
    expect(rows[0]?.records).toBe(2);
  });
});
