import { expect, it } from 'vitest';
import { signageViewLab } from '../queries/view-lab.ts';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';

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
