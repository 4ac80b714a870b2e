import { expect, it } from 'vitest';
import type { ReportColumn } from '#lib/report/report-data.ts';
import { viewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

it('the page compares sources by the screens of their newest day, and groups the players of each by their own', async () => {
  await using lab = await viewLab({ config: { groups: ['Region'] } }, { twins: true });
  // By player: on, off, stale, not known.
  const day = (runTime: string, counts: readonly number[], Region = 'Hof') => {
    const now = new Date(Date.parse(runTime) - 60_000).toISOString();
    const kinds = [
      { IsOn: true, LastUpdate: now },
      { IsOn: false, LastUpdate: now },
      { IsOn: true, LastUpdate: '2026-11-01T03:00:00Z' },
      { IsOn: true, LastUpdate: null },
    ];
    const screens = counts.map((count, kind) =>
      Array.from({ length: count }, (_, index) => ({ Id: index + 1, ...kinds[kind] })),
    );
    return {
      players: screens.map((_, index) => ({ Id: index + 1, Region, LastAccess: now })),
      screens: Object.fromEntries(screens.map((of, index) => [index + 1, of])),
    };
  };
  const [first, second] = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;
  await lab.run(first, { ...day(first, [1, 2, 3, 4]), twins: day(first, [4, 3, 2, 1], 'Ulm') });
  await lab.run(second, { ...day(second, [4, 3, 2, 1]), twins: day(second, [1, 2, 3, 4], 'Ulm') });
  const { sources, tables: lists } = await reportOf(lab.lake, second);
  expect(sources).toEqual([
    { source: 'berlin', on: 4, off: 3, stale: 2, unknown: 1 },
    { source: 'munich', on: 1, off: 2, stale: 3, unknown: 4 },
  ]);
  const screens = lists.find(({ id }) => id === 'screens');
  const at = (column: (of: ReportColumn) => boolean) => screens?.columns.findIndex(column) ?? -1;
  const [source, region] = [at(({ is }) => is === 'source'), at(({ group }) => group === 'region')];
  const regions = screens?.rows.map((row) => `${row[source]} ${row[region]}`).sort();
  // Of each those that are off or stale.
  expect(regions).toEqual([...Array(5).fill('berlin Hof'), ...Array(5).fill('munich Ulm')]);
  // Each row could be of either: without its source two players of one name are not told apart.
  for (const id of ['screens', 'players', 'licenses', 'storages']) {
    const columns = lists.find((list) => list.id === id)?.columns;
    expect([id, columns?.find(({ is }) => is === 'source')?.place]).toEqual([id, 'telling']);
  }
});
