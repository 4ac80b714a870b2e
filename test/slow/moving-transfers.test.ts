import { expect, it } from 'vitest';
import { signageViewLab } from '../queries/view-lab.ts';

const NO_RUN = undefined;
const at = (day: number) => `2026-11-${day + 10}T03:00:00Z`;

it.each([
  ['it starts again, whatever bytes it had before', [0, 0, 0, 500, 0], 0, false],
  ['it stands', [0, 0, 0, 0, 0], 103, true],
  ['it stands since it started again', [100, 200, 100, 100, 100], 48, true],
  ['nobody knows on which of three days without a run it moved', [100, NO_RUN, NO_RUN, NO_RUN, 200], 0, null],
  ['it moves again after days without a run', [100, NO_RUN, NO_RUN, 200, 300], 0, false],
  ['nobody knows whether it moved since, as the newest answer has no bytes', [0, 0, 10, 20, null], 24, null],
  ['it has the same bytes before and after an answer without', [0, 0, 10, null, 10], 48, true],
  ['nobody knows on which of two days it moved, one without bytes', [40, 50, 60, null, 70], 0, null],
  ['its first bytes are older than their first answer', [null, null, null, 50, 50], 24, true],
  [
    'nobody knows when it got the bytes of the first answer that has some',
    [null, null, null, null, 50],
    0,
    null,
  ],
  ['its first answer says that it has none yet', [null, null, null, null, 0], 103, true],
  ['nobody knows whether it began since, as the newest answer has no bytes', [0, 0, 0, 0, null], 103, null],
  ['no answer has had bytes for more than 48 hours', [0, 10, null, null, null], 72, true],
  ['no answer has bytes', [null, null, null, null, null], 103, true],
])('a transfer waits since it last made progress: %s', async (_, bytes, idle, isStuck) => {
  await using lab = await signageViewLab();
  for (const [index, Transferred] of bytes.entries()) {
    if (Transferred === NO_RUN) continue;
    await lab.run(at(9 + index), {
      players: [{ Id: 1 }],
      pending_file_transfers: {
        1: [{ Id: 1, FileSize: 1000, Transferred, Created: '2026-11-18T20:00:00Z' }],
      },
    });
  }
  expect(await lab.cells('select idle_hours, is_stuck from stuck_transfers')).toEqual([[idle, isStuck]]);
  expect(
    await lab.cells(
      'select idle_hours, is_stuck from transfer_days where export_date = (select max(export_date) from transfer_days)',
    ),
  ).toEqual([[idle, isStuck]]);
});

it.each([
  ['a day', [9, 10], false],
  ['days without a run', [9, 12], null],
])('a transfer without a date that is new after %s may be as old as they are', async (_, days, isStuck) => {
  await using lab = await signageViewLab();
  for (const [index, day] of days.entries())
    await lab.run(at(day), {
      players: [{ Id: 1 }],
      pending_file_transfers: { 1: index === 0 ? [] : [{ Id: 1, FileSize: 1000 }] },
    });
  expect(await lab.cells('select is_stuck from stuck_transfers')).toEqual([[isStuck]]);
  expect(await lab.cells('select is_stuck from transfer_days')).toEqual([[isStuck]]);
});

it('a file that stands is stuck, though of another nobody knows whether it moved since', async () => {
  await using lab = await signageViewLab();
  for (const [index, Transferred] of [0, 10, 20, null].entries())
    await lab.run(at(9 + index), {
      players: [{ Id: 1 }],
      pending_file_transfers: {
        1: [
          { Id: 1, FileSize: 1000, Transferred },
          { Id: 2, FileSize: 1000, Transferred: index < 2 ? index : 2 },
        ],
      },
    });
  const shown = 'select idle_hours, is_stuck from';
  expect(await lab.cells(`${shown} stuck_transfers`)).toEqual([[24, true]]);
  expect(await lab.cells(`${shown} transfer_days order by export_date desc limit 1`)).toEqual([[24, true]]);
});

it('who is stuck also waits, if the API calls a later file overdue; an empty list of files is no file', async () => {
  await using lab = await signageViewLab();
  const Created = at(8);
  for (const day of [9, 10])
    await lab.run(at(day), {
      players: [{ Id: 1, TransferStatus: 'Overdue' }, { Id: 2 }, { Id: 3 }],
      pending_file_transfers: {
        1: [{ Id: 1, Created, ScheduledAt: at(20), Transfers: [7] }],
        2: [{ Id: 2, Created, Transfers: [] }],
        3: [{ Id: 3, Created, Transfers: [8, 9] }],
      },
    });
  expect(await lab.cells('select player_id, pending, is_stuck from stuck_transfers order by all')).toEqual([
    ['1', 1, true],
    ['3', 2, true],
  ]);
  const counts = 'select pending_transfers, players_waiting, players_stuck from';
  expect(await lab.cells(`${counts} daily_trend order by export_date desc limit 1`)).toEqual([[3, 2, 2]]);
});
