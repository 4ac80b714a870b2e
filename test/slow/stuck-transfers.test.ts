import { expect, it } from 'vitest';
import { signageViewLab } from '../queries/view-lab.ts';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';

it('stuck_transfers counts from the API’s date, else from the first export that saw the transfer', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const states = {
    Dated: 'Pending',
    Undated: 'Pending',
    Late: 'Overdue',
    Idle: 'Complete',
    Mixed: 'Pending',
  };
  const players = Object.entries(states).map(([Name, TransferStatus], index) => ({
    ...{ Id: index + 1, Name, TransferStatus },
  }));
  await lab.run('2026-11-19T03:00:00Z', { players, pending_file_transfers: { 2: [{ Id: 20 }] } });
  await lab.run('2026-11-21T03:00:00Z', {
    players,
    pending_file_transfers: {
      1: [
        { Id: 10, Created: '2026-11-21T01:00:00Z' },
        { Id: 11, Created: '2026-11-20T21:00:00Z' },
      ],
      2: [{ Id: 20 }, { Id: 21 }],
      3: [{ Id: 30, Created: '2026-11-21T02:00:00Z' }],
      5: [{ Id: 50 }, { Id: 51, Created: '2026-11-21T00:00:00Z' }],
    },
  });
  expect(
    await lab.cells(`
      select player_name, pending, oldest_age_hours, age_from, is_stuck
      from stuck_transfers
      order by player_id`),
  ).toEqual([
    ['Dated', 2, 6, 'API', false],
    ['Undated', 2, 48, 'first seen', true],
    ['Late', 1, 1, 'API', true],
    ['Mixed', 2, 3, 'API', false],
  ]);
});

it('a transfer is stuck if it made no progress for a day; one that starts later does not wait, and unexpected players are not counted', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const names = ['Moves', 'Stands', 'Stands since today', 'Starts later', 'Started', 'Reserved'];
  const players = names.map((Name, index) => ({
    ...{ Id: index + 1, Name, BoxState: Name === 'Reserved' ? Name : undefined },
  }));
  const Created = '2026-11-18T03:00:00Z';
  for (const [date, moves, late] of [
    [19, 1, 1],
    [20, 2, 2],
    [21, 3, 2],
  ])
    await lab.run(`2026-11-${date}T03:00:00Z`, {
      players,
      pending_file_transfers: {
        1: [{ Id: 10, Created, Transferred: moves }],
        2: [{ Id: 20, Created, Transferred: 5 }],
        3: [{ Id: 30, Created, Transferred: late }],
        4: [{ Id: 40, Created, Transferred: 0, ScheduledAt: '2026-11-23T03:00:00Z' }],
        5: [{ Id: 50, Created, Transferred: 0, ScheduledAt: '2026-11-20T21:00:00Z' }],
        6: [{ Id: 60, Created, Transferred: 0 }],
      },
    });
  const columns = 'player_id, pending, scheduled, oldest_age_hours, idle_hours, is_stuck';
  const expected = [
    ['1', 1, 0, 72, 0, false],
    ['2', 1, 0, 72, 48, true],
    ['3', 1, 0, 72, 24, true],
    ['4', 1, 1, null, null, false],
    ['5', 1, 0, 6, 6, false],
    ['6', 1, 0, 72, 72, true],
  ];
  for (const view of ['stuck_transfers', `transfer_days where export_date = '2026-11-21'`])
    expect(await lab.cells(`select ${columns} from ${view} order by player_id`)).toEqual(expected);
  const trend =
    'select pending_transfers, players_waiting, players_stuck from daily_trend order by export_date';
  expect(await lab.cells(trend)).toEqual([
    // Three had bytes at their first sight: nobody knows since when.
    [5, 3, null],
    [5, 3, 1],
    [5, 4, 2],
  ]);
});

it('stuck_transfers counts again a transfer that was removed and queued again', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const run = (time: string, ...queue: object[]) =>
    lab.run(`2026-11-${time}:00:00Z`, { players: [{ Id: 1 }], pending_file_transfers: { 1: queue } });
  await run('18T03', { Id: 10 });
  await run('19T03');
  await run('20T03', { Id: 10 });
  await run('20T15', { Id: 10 });
  const ages = () => lab.cells('select oldest_age_hours, is_stuck from stuck_transfers');
  // The day keeps what its last run saw.
  expect(await ages()).toEqual([[0, false]]);
  await run('21T03', { Id: 10 });
  expect(await ages()).toEqual([[12, false]]);
});

/** What a queue's records say of their transfers, and how many there are. */
const COUNTS: readonly (readonly [says: readonly unknown[], pending: number])[] = [
  [[3], 3],
  [[3, [{ Id: 4 }, { Id: 5 }]], 5],
  [['3 files', '[3 files]'], 2],
  [[{ File: 'a' }, undefined], 2],
];

it.each(COUNTS)('views count transfers where the API says %j', async (says, pending) => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-21T03:00:00Z', {
    players: [{ Id: 1 }],
    pending_file_transfers: { 1: says.map((Transfers, index) => ({ Id: index + 1, Transfers })) },
  });
  expect(await lab.cells('select pending from stuck_transfers')).toEqual([[pending]]);
  expect(await lab.cells('select sum(pending_transfers)::int from daily_trend')).toEqual([[pending]]);
});

it('stuck_transfers counts each transfer of a record that holds a list', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const queue = [
    { Priority: 'High', Transfers: [{ Id: 1 }, { Id: 2 }, { Id: 3 }] },
    { Priority: 'Normal', Transfers: [{ Id: 4 }] },
  ];
  await lab.run('2026-11-21T03:00:00Z', { players: [{ Id: 1 }], pending_file_transfers: { 1: queue } });
  expect(await lab.cells('select pending, oldest_age_hours, age_from from stuck_transfers')).toEqual([
    [4, 0, 'first seen'],
  ]);
});
