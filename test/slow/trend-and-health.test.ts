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
