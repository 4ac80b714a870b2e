import { expect, it } from 'vitest';
import { signageViewLab } from '../queries/view-lab.ts';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';

it('stuck_transfers counts from the API’s date, else from the first export that saw the transfer', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const players = [
    { Id: 1, Name: 'Dated', TransferStatus: 'Pending' },
    { Id: 2, Name: 'Undated', TransferStatus: 'Pending' },
    { Id: 3, Name: 'Late', TransferStatus: 'Overdue' },
    { Id: 4, Name: 'Idle', TransferStatus: 'Complete' },
    { Id: 5, Name: 'Mixed', TransferStatus: 'Pending' },
  ];
  const dated = [
    { Id: 10, Created: '2026-11-21T01:00:00Z' },
    { Id: 11, Created: '2026-11-20T21:00:00Z' },
  ];
  await lab.run('2026-11-19T03:00:00Z', { players, pending_file_transfers: { 2: [{ Id: 20 }] } });
  await lab.run('2026-11-21T03:00:00Z', {
    players,
    pending_file_transfers: {
      1: dated,
      2: [{ Id: 20 }, { Id: 21 }],
      3: [{ Id: 30, Created: '2026-11-21T02:00:00Z' }],
      5: [{ Id: 50 }, { Id: 51, Created: '2026-11-21T00:00:00Z' }],
    },
  });
  expect(
    await lab.rows(`
      select player_name, pending, oldest_age_hours, age_from, is_stuck
      from stuck_transfers
      order by player_id`),
  ).toEqual([
    { player_name: 'Dated', pending: 2, oldest_age_hours: 6, age_from: 'API', is_stuck: false },
    { player_name: 'Undated', pending: 2, oldest_age_hours: 48, age_from: 'first seen', is_stuck: true },
    { player_name: 'Late', pending: 1, oldest_age_hours: 1, age_from: 'API', is_stuck: true },
    { player_name: 'Mixed', pending: 2, oldest_age_hours: 3, age_from: 'API', is_stuck: false },
  ]);
});

it('a transfer is stuck if it made no progress for a day; one that starts later does not wait, and unexpected players are not counted', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const names = ['Moves', 'Stands', 'Stands since today', 'Starts later', 'Started', 'Reserved'];
  const players = names.map((Name, index) => ({
    Id: index + 1,
    Name,
    ...(Name === 'Reserved' && { BoxState: 'Reserved' }),
  }));
  const Created = '2026-11-18T03:00:00Z';
  const day = (date: number, moves: number, late: number) =>
    lab.run(`2026-11-${date}T03:00:00Z`, {
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
  await day(19, 1, 1);
  await day(20, 2, 2);
  await day(21, 3, 2);
  const columns =
    'player_id as id, pending, scheduled, oldest_age_hours as age, idle_hours as idle, is_stuck';
  const expected = [
    { id: '1', pending: 1, scheduled: 0, age: 72, idle: 0, is_stuck: false },
    { id: '2', pending: 1, scheduled: 0, age: 72, idle: 48, is_stuck: true },
    { id: '3', pending: 1, scheduled: 0, age: 72, idle: 24, is_stuck: true },
    { id: '4', pending: 1, scheduled: 1, age: null, idle: null, is_stuck: false },
    { id: '5', pending: 1, scheduled: 0, age: 6, idle: 6, is_stuck: false },
    { id: '6', pending: 1, scheduled: 0, age: 72, idle: 72, is_stuck: true },
  ];
  expect(await lab.rows(`select ${columns} from stuck_transfers order by id`)).toEqual(expected);
  expect(
    await lab.rows(`select ${columns} from transfer_days where export_date = '2026-11-21' order by id`),
  ).toEqual(expected);
  expect(
    await lab.rows(
      'select pending_transfers as pending, players_waiting as waiting, players_stuck as stuck from daily_trend order by export_date',
    ),
  ).toEqual([
    // Three had bytes at their first sight: nobody knows since when.
    { pending: 6, waiting: 4, stuck: null },
    { pending: 6, waiting: 4, stuck: 1 },
    { pending: 6, waiting: 5, stuck: 2 },
  ]);
});

it('stuck_transfers counts again a transfer that was removed and queued again', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const players = [{ Id: 1, Name: 'Again' }];
  const pending = { players, pending_file_transfers: { 1: [{ Id: 10 }] } };
  await lab.run('2026-11-18T03:00:00Z', pending);
  await lab.run('2026-11-19T03:00:00Z', { players, pending_file_transfers: { 1: [] } });
  await lab.run('2026-11-20T03:00:00Z', pending);
  await lab.run('2026-11-20T15:00:00Z', pending);
  const ages = () => lab.rows('select oldest_age_hours, is_stuck from stuck_transfers');
  // The day keeps what its last run saw.
  expect(await ages()).toEqual([{ oldest_age_hours: 0, is_stuck: false }]);
  await lab.run('2026-11-21T03:00:00Z', pending);
  expect(await ages()).toEqual([{ oldest_age_hours: 12, is_stuck: false }]);
});

it.each([
  [[{ Id: 1, Transfers: 3 }], 3],
  [
    [
      { Id: 1, Transfers: 3 },
      { Id: 2, Transfers: [{ Id: 4 }, { Id: 5 }] },
    ],
    5,
  ],
  [
    [
      { Id: 1, Transfers: '3 files' },
      { Id: 2, Transfers: '[3 files]' },
    ],
    2,
  ],
  [[{ Id: 1, Transfers: { File: 'a' } }, { Id: 2 }], 2],
])('views count transfers where the API says %j', async (records, pending) => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-21T03:00:00Z', {
    players: [{ Id: 1, Name: 'Odd' }],
    pending_file_transfers: { 1: records },
  });
  expect(await lab.rows('select pending from stuck_transfers')).toEqual([{ pending }]);
  expect(await lab.rows('select sum(pending_transfers) n from daily_trend')).toEqual([{ n: pending }]);
});

it('stuck_transfers counts each transfer of a record that holds a list', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-21T03:00:00Z', {
    players: [{ Id: 1, Name: 'Tree' }],
    pending_file_transfers: {
      1: [
        { Priority: 'High', Transfers: [{ Id: 1 }, { Id: 2 }, { Id: 3 }] },
        { Priority: 'Normal', Transfers: [{ Id: 4 }] },
      ],
    },
  });
  expect(await lab.rows('select pending, oldest_age_hours, age_from from stuck_transfers')).toEqual([
    { pending: 4, oldest_age_hours: 0, age_from: 'first seen' },
  ]);
});
