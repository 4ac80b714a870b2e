import { expect } from 'vitest';
import { exportLab } from './export-lab.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';

/** What the second run calls removed, under the fault; the world itself stands still. */
export async function removedUnder(faults: string, profile = 'reference') {
  await using lab = await exportLab({ players: 60, pageSize: 20, profile, seed: 3 });
  await lab.run(DAY_1);
  const before = await lab.rows('select count(*) n from screens');
  await lab.simulator.setFaults(faults);
  const { status } = await lab.run(DAY_2, { random: () => 0 });
  const removed = await lab.rows(
    "select table_name, count(*) n from changes where change = 'removed' group by all",
  );
  expect(await lab.rows('select count(*) n from screens')).toEqual(before);
  const codes = await lab.rows(
    "select distinct resource, error_code from outcomes where outcome in ('failed', 'denied') order by all",
  );
  return { status, removed, codes: codes.map(({ resource, error_code }) => `${resource} ${error_code}`) };
}
