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
