import { expect, it } from 'vitest';
import { type Day, viewLab } from '../queries/view-lab.ts';

const SEEN = '2026-11-20T02:00:00Z';

const first: Day = {
  players: [1, 2].map((Id) => ({ Id, Name: `P${Id}`, LastAccess: SEEN })),
  screens: { 1: [{ Id: 1, Number: 1, IsOn: true, LastUpdate: SEEN }] },
  licenses: [{ Type: 'Player', TotalCount: 10, AvailableCount: 7 }],
  backup_storages: [{ id: 9, customer_name: 'S' }],
};

/** A player left, another came with two new fields, and the screens of the first were denied. */
const second: Day = {
  ...first,
  players: [
    { Id: 1, Name: 'P1', LastAccess: SEEN, Extra: 1 },
    { Id: 3, Name: 'C', LastAccess: '2026-11-22T02:00:00Z', TransferStatus: 'Weird' },
  ],
  screens: { 1: 'denied', 3: [{ Id: 1, Number: 1, IsOn: true, LastUpdate: '2026-11-22T02:00:00Z' }] },
};

it('export_health says how fresh and complete each source is, and what is new', async () => {
  await using lab = await viewLab({}, { twins: true });
  const healthOf = (source: string) =>
    lab.rows(`select * from export_health where export_source = '${source}'`);
  // The twins have the same ids, and nothing changes in them.
  await lab.run('2026-11-20T03:00:00Z', { ...first, twins: first });
  const whole = { new_columns: 0, coverage: 1, status: 'complete' };
  expect(await healthOf('berlin')).toMatchObject([{ runs: 1, ...whole }]);
  await lab.run('2026-11-22T03:00:00Z', { ...second, twins: first });
  const [row] = await healthOf('berlin');
  expect(row).toMatchObject({
    // Coverage is below minCoverage.
    ...{ export_run_id: '20261122T030000Z', status: 'failed', denied: 1, failed: 0, runs: 2 },
    ...{ new_columns: 2, last_complete_at: '2026-11-20T03:00:00Z' },
    // Of AppGroups, Licenses, Players, and two children of each of two players one was denied.
    coverage: expect.closeTo(6 / 7, 10),
  });
  const last = { denied: 0, last_complete_at: '2026-11-22T03:00:00Z' };
  expect(await healthOf('munich')).toMatchObject([{ runs: 2, ...whole, ...last }]);
  const hours = (Date.now() - Date.parse('2026-11-22T03:00:00Z')) / 3_600_000;
  expect(Math.abs(Number(row?.hours_since_run) - hours)).toBeLessThan(0.1);
});

it('export_health is as fresh as the last listing that was answered, and has no age where none ever was', async () => {
  await using lab = await viewLab();
  const ofBerlin = "where export_source = 'berlin'";
  const columns = 'export_run_id, observed_at, hours_since_run is null';
  const times = () => lab.flat(`select ${columns} from export_health ${ofBerlin}`);
  await lab.run('2026-11-19T03:00:00Z', { refused: true });
  expect(await times()).toEqual(['20261119T030000Z', null, true]);
  await lab.run('2026-11-20T03:00:00Z', first);
  for (const day of [21, 22]) await lab.run(`2026-11-${day}T03:00:00Z`, { refused: true });
  expect(await times()).toEqual(['20261122T030000Z', '2026-11-20T03:00:00Z', false]);
  // The run itself was answered nothing, but took its time.
  const run = `select observed_at, duration_seconds from runs ${ofBerlin} and export_run_id = '20261122T030000Z'`;
  expect(await lab.flat(run)).toEqual([null, 0]);
});
