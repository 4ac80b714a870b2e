import { expect, it } from 'vitest';
import { exportLab } from '../support/export-lab.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';

it('2 % gone and 1 % denied: partial, exactly those, nothing else removed', async () => {
  await using lab = await exportLab({ players: 401, seed: 21 });
  await lab.run(DAY_1);
  await lab.simulator.setFaults('gone:0.02,denied:0.01');
  const [gone, denied] = [lab.simulator.parentsMeeting('gone'), lab.simulator.parentsMeeting('denied')];
  const { status } = await lab.run(DAY_2);
  expect(status).toBe('partial');
  const parentsOf = (outcome: string) =>
    lab.flat(
      `select distinct parent_id::int from outcomes where outcome = '${outcome}' and resource <> 'backup_slots' order by 1`,
    );
  const isPlayer = (id: number) => lab.simulator.world.at(0).listing('screens', id) !== undefined;
  const players = (ids: Iterable<number>) => [...ids].filter(isPlayer).sort((a, b) => a - b);
  expect(await parentsOf('gone')).toEqual(players(gone));
  // A parent that meets both is gone: the first fault of the spec answers.
  const onlyDenied = players(denied).filter((id) => !gone.has(id));
  expect(await parentsOf('denied')).toEqual(onlyDenied);
  expect(onlyDenied.length).toBeGreaterThan(1);
  const rowsOf = (ids: readonly number[], from: string) =>
    lab.flat(`select count(*) from ${from}' and player_id::int in (${ids})`);
  const before = await rowsOf(onlyDenied, "screens_daily where export_date = '2026-11-20");
  const of = (run: string) => `screens where export_run_id = '${run}`;
  expect(await rowsOf(onlyDenied, of('20261120T030000Z')), 'carried forward').toEqual(before);
  expect(await rowsOf(players(gone), of('20261121T030000Z'))).toEqual([0]);
  const removed = await lab.rows(`
      select distinct reason, split_part(record_key, '/', 1) as parent
      from changes where change = 'removed' and table_name in ('screens', 'pending_file_transfers')`);
  expect(new Set(removed.map(({ reason }) => reason))).toEqual(new Set(['gone']));
  for (const { parent } of removed) expect(gone.has(Number(parent))).toBe(true);
  const others = await lab.flat(`
      select count(*) from changes
      where change <> 'removed' or table_name not in ('screens', 'pending_file_transfers', 'backup_slots')`);
  expect(others).toEqual([0]);
});
