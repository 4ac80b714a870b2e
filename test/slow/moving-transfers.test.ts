import { expect, it } from 'vitest';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';

const at = (day: number) => `2026-11-${day + 10}T03:00:00Z`;
/** A run of a player whose queue has these files. The worlds with known figures have histories that tell all bytes. */
const waiting = (lab: ViewLab, day: number, files: object[]) =>
  lab.run(at(day), { players: [{ Id: 1 }], pending_file_transfers: { 1: files } });

/** What both views say of the newest day. */
const toldOf = (lab: ViewLab) =>
  lab.cells(`
    select idle_hours, is_stuck from stuck_transfers
    union all
    (select idle_hours, is_stuck from transfer_days order by export_date desc limit 1)`);

it.each([
  ['nobody knows whether it moved since, as the newest answer has no bytes', [0, 0, 10, 20, null], 24, null],
  ['it has the same bytes before and after an answer without', [0, 0, 10, null, 10], 48, true],
  ['nobody knows on which of two days it moved, one without bytes', [40, 50, 60, null, 70], 0, null],
  ['nobody knows whether it began since, as the newest answer has no bytes', [0, 0, 0, 0, null], 103, null],
])('a transfer waits since it last made progress: %s', async (_, bytes, idle, isStuck) => {
  await using lab = await signageViewLab();
  const Created = '2026-11-18T20:00:00Z';
  for (const [index, Transferred] of bytes.entries())
    await waiting(lab, 9 + index, [{ Id: 1, FileSize: 1000, Transferred, Created }]);
  expect(await toldOf(lab)).toEqual(Array(2).fill([idle, isStuck]));
});

it.each([
  ['is queued at another time', undefined, '2026-11-20T20:00:00Z'],
  ['was removed in between', at(11), '2026-11-18T20:00:00Z'],
])('a file begins anew where it %s: its earlier bytes are no measure', async (_, removedAt, Created) => {
  await using lab = await signageViewLab();
  const file = (Transferred: number, more: object = {}) => [
    { Id: 1, FileSize: 1000, Transferred, Created: '2026-11-18T20:00:00Z', ...more },
  ];
  await waiting(lab, 9, file(0));
  await waiting(lab, 10, file(900));
  if (removedAt !== undefined) await waiting(lab, 11, []);
  await waiting(lab, 12, file(100, { Created }));
  await waiting(lab, 13, file(200, { Created }));
  expect(await toldOf(lab)).toEqual(Array(2).fill([0, false]));
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
  const stuck = await lab.flat('select player_id, pending, is_stuck from stuck_transfers order by all');
  expect(stuck).toEqual([...['1', 1, true], ...['3', 2, true]]);
  const counts = 'select pending_transfers, players_waiting, players_stuck from';
  expect(await lab.flat(`${counts} daily_trend order by export_date desc limit 1`)).toEqual([3, 2, 2]);
});
