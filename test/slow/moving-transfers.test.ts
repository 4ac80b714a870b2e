import { expect, it } from 'vitest';
import { signageViewLab } from '../queries/view-lab.ts';

const at = (day: number) => `2026-11-${day + 10}T03:00:00Z`;

it.each([
  ['it starts again, whatever bytes it had before', [0, 0, 0, 500, 0], 0, false],
  ['it stands', [0, 0, 0, 0, 0], 103, true],
  ['it stands since it started again', [100, 200, 100, 100, 100], 48, true],
])('a transfer waits since it last made progress: %s', async (_, bytes, idle, isStuck) => {
  await using lab = await signageViewLab();
  for (const [index, Transferred] of bytes.entries())
    await lab.run(at(9 + index), {
      players: [{ Id: 1 }],
      pending_file_transfers: {
        1: [{ Id: 1, FileSize: 1000, Transferred, Created: '2026-11-18T20:00:00Z' }],
      },
    });
  expect(await lab.cells('select idle_hours, is_stuck from stuck_transfers')).toEqual([[idle, isStuck]]);
  expect(
    await lab.cells(
      'select idle_hours, is_stuck from transfer_days where export_date = (select max(export_date) from transfer_days)',
    ),
  ).toEqual([[idle, isStuck]]);
});
