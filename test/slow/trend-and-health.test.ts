import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Day, type ViewLab, viewLab } from '../queries/view-lab.ts';

const NEVER = '0001-01-01T00:00:00Z';

/** Two players, three screens, a licence and a slot, with what changed since. */
const first: Day = {
  players: [
    {
      ...{ Id: 1, Name: 'A', LastAccess: '2026-11-20T02:00:00Z' },
      ...{ BoxState: 'Activated', LicenseType: 'Player', BoxId: 'X' },
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
      ...{ Id: 1, Name: 'A', LastAccess: '2026-11-20T02:00:00Z' },
      ...{ BoxState: 'Odd', LicenseType: 'Player', Extra: 1 },
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
  expect(await lab.cells('select distinct new_columns::int from export_health')).toEqual([[0]]);
});

describe('over two days', () => {
  const healthOf = (source: string) =>
    lab.rows(`select * from export_health where export_source = '${source}'`);
  const findingsOf = (source: string) =>
    lab.cells(`
      select finding, table_name, column_name, "value", records
      from data_quality
      where finding not like 'provisional%' and export_source = '${source}'
      order by finding, table_name, column_name, "value"`);
  let lab: ViewLab;
  /** What the views say after the first day. */
  const then: Record<string, readonly unknown[]> = {};
  beforeAll(async () => {
    lab = await viewLab({}, { twins: true });
    // The twins have the same ids, and nothing changes in them.
    await lab.run('2026-11-20T03:00:00Z', { ...first, twins: first });
    then['health'] = await healthOf('berlin');
    then['findings'] = await findingsOf('berlin');
    await lab.run('2026-11-22T03:00:00Z', { ...second, twins: first });
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  it('daily_trend counts each day by state; what was not asked is unknown, and what a source has not is null', async () => {
    const nothing = Array(11).fill(null);
    expect(
      await lab.cells(`
        select
          export_source, export_date,
          players, players_online, players_offline, players_never_seen, players_added, players_removed,
          screens, screens_on, screens_off, screens_stale, screens_unknown,
          pending_transfers, licenses_used, backup_used
        from daily_trend
        where export_source in ('berlin', 'vault')
        order by export_source, export_date`),
    ).toEqual([
      ['berlin', '2026-11-20', 2, 1, 0, 1, 0, 0, 3, 1, 1, 1, 0, 2, 3, null],
      // The two screens of player 1 are of the run before; player 2 went with its screen, player 3 came with one.
      ['berlin', '2026-11-22', 2, 1, 1, 0, 1, 1, 3, 1, 0, 0, 2, 0, 3, null],
      ['vault', '2026-11-20', ...nothing, null, null, 400],
      ['vault', '2026-11-22', ...nothing, null, null, 400],
    ]);
  });

  it('export_health says how fresh and complete each source is, and what is new', async () => {
    expect(then['health']).toMatchObject([{ runs: 1, new_columns: 0, coverage: 1, status: 'complete' }]);
    const [row] = await healthOf('berlin');
    // AppGroups, Licenses, Players, and two children of each of two players: one of these 7 was denied.
    expect(row).toMatchObject({
      // Coverage is below minCoverage.
      ...{ export_run_id: '20261122T030000Z', status: 'failed', denied: 1, failed: 0, runs: 2 },
      // Extra and TransferStatus.
      ...{ new_columns: 2, last_complete_at: '2026-11-20T03:00:00Z' },
    });
    expect(row?.coverage).toBeCloseTo(6 / 7, 10);
    expect(await healthOf('munich')).toMatchObject([
      {
        runs: 2,
        new_columns: 0,
        coverage: 1,
        status: 'complete',
        denied: 0,
        last_complete_at: '2026-11-22T03:00:00Z',
      },
    ]);
    const hours = (Date.now() - Date.parse('2026-11-22T03:00:00Z')) / 3_600_000;
    expect(Math.abs(Number(row?.hours_since_run) - hours)).toBeLessThan(0.1);
  });

  it('data_quality finds keys without a match, duplicates, unknown values, new columns, and what was not collected', async () => {
    expect(then['findings']).toEqual([
      ['duplicate id', 'players', 'box_id', 'X', 2],
      ['reject: sentinel', 'players', 'last_access', NEVER, 1],
      ['unmatched key', 'players', 'license_type', 'Unlisted', 1],
    ]);
    const any = expect.anything();
    expect(await findingsOf('munich')).toEqual(then['findings']);
    expect(await findingsOf('berlin')).toEqual([
      ['carried rows', 'screens', 'export_run_id', '20261120T030000Z', 2],
      ['new column', 'players', 'extra', 'Extra', any],
      ['new column', 'players', 'transfer_status', 'TransferStatus', any],
      ['not collected: denied', 'screens', null, any, any],
      ['unknown value', 'players', 'box_state', 'Odd', any],
      ['unknown value', 'players', 'transfer_status', 'Weird', any],
    ]);
  });
});

describe('R11: no day has figures of another day as if it had measured them', () => {
  const queue = [{ Id: 5, Created: '2026-11-01T00:00:00Z' }];
  const calm: Day = { ...first, pending_file_transfers: { 1: queue } };
  const nothing = [null, null, null] as const;
  /** Transfers that are pending, players that wait, and those that are stuck; licences and bytes in use; players added. */
  type Figures = readonly (number | null)[];
  const measured: Figures = [1, 1, 1, 3, 400, 0];
  const unknown: Figures = [...nothing, null, null, null];

  /** A day each, after one on which all was measured. */
  const DAYS: readonly (readonly [what: string, runs: readonly Day[], expected: Figures])[] = [
    ['all is answered', [calm], measured],
    ['all is refused', [{ refused: true }], unknown],
    [
      'these listings are refused',
      [
        {
          ...{ ...calm, licenses: 'denied', backup_slots: { 9: 'denied' } },
          pending_file_transfers: { 1: 'denied', 2: 'denied' },
        },
      ],
      [...nothing, null, null, 0],
    ],
    [
      'the queue of another player is refused: of the others it is known',
      [{ ...calm, pending_file_transfers: { 1: queue, 2: 'denied' } }],
      measured,
    ],
    [
      'nothing is known to be stuck where a queue is refused',
      [{ ...calm, pending_file_transfers: { 1: 'denied' } }],
      [...nothing, 3, 400, 0],
    ],
    ['a later run of the day that fails takes no figure back', [calm, { refused: true }], measured],
  ];
  let lab: ViewLab;
  beforeAll(async () => {
    lab = await viewLab();
    for (const [index, [, runs]] of DAYS.entries()) {
      await lab.run(`2026-11-${10 + 2 * index}T03:00:00Z`, calm);
      for (const [hour, day] of runs.entries())
        await lab.run(`2026-11-${11 + 2 * index}T${hour === 0 ? '03' : '15'}:00:00Z`, day);
    }
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  it.each(DAYS.map(([what, , expected], index) => [what, `2026-11-${11 + 2 * index}`, expected] as const))(
    '%s',
    async (_, date, expected) => {
      const figures = [
        'pending_transfers',
        'players_waiting',
        'players_stuck',
        'licenses_used',
        'backup_used',
        'players_added',
      ];
      const sums = figures.map((figure) => `sum(${figure})::int`).join(', ');
      expect(await lab.cells(`select ${sums} from daily_trend where export_date = '${date}'`)).toEqual([
        expected,
      ]);
    },
  );
});

it('export_health is as fresh as the last listing that was answered, and has no age where none ever was', async () => {
  await using lab = await viewLab();
  const times = () =>
    lab.cells(`
      select export_run_id, observed_at, hours_since_run is null
      from export_health
      where export_source = 'berlin'`);
  await lab.run('2026-11-19T03:00:00Z', { refused: true });
  expect(await times()).toEqual([['20261119T030000Z', null, true]]);
  await lab.run('2026-11-20T03:00:00Z', first);
  await lab.run('2026-11-21T03:00:00Z', { refused: true });
  await lab.run('2026-11-22T03:00:00Z', { refused: true });
  expect(await times()).toEqual([['20261122T030000Z', '2026-11-20T03:00:00Z', false]]);
  // The run itself was answered nothing, but took its time.
  expect(
    await lab.cells(`
      select observed_at, duration_seconds from runs
      where export_source = 'berlin' and export_run_id = '20261122T030000Z'`),
  ).toEqual([[null, 0]]);
});
