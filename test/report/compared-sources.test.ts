import { expect, it } from 'vitest';
import { collectReport } from '#lib/report/collect-report.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { viewLab } from '../queries/view-lab.ts';

it('the page compares sources by the screens of their newest day', async () => {
  await using lab = await viewLab({}, { twins: true });
  // By player: on, off, stale, not known.
  const day = (runTime: string, counts: readonly number[]) => {
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
      players: screens.map((_, index) => ({ Id: index + 1, LastAccess: now })),
      screens: Object.fromEntries(screens.map((of, index) => [index + 1, of])),
    };
  };
  const [first, second] = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;
  await lab.run(first, { ...day(first, [1, 2, 3, 4]), twins: day(first, [4, 3, 2, 1]) });
  await lab.run(second, { ...day(second, [4, 3, 2, 1]), twins: day(second, [1, 2, 3, 4]) });
  using tables = await openTables(lab.lake);
  const record = await readRunRecord(lab.lake, tables.head.runId);
  const { sources, tables: lists } = await collectReport(tables, record.config, new Date(second));
  expect(sources).toEqual([
    { source: 'berlin', on: 4, off: 3, stale: 2, unknown: 1 },
    { source: 'munich', on: 1, off: 2, stale: 3, unknown: 4 },
  ]);
  // Each row could be of either: without its source two players of one name are not told apart.
  const namesSource = ['screens', 'players', 'licenses', 'storages'].map((id) => [
    id,
    lists.find((list) => list.id === id)?.columns.find(({ is }) => is === 'source')?.place,
  ]);
  expect(Object.fromEntries(namesSource)).toEqual({
    screens: 'telling',
    players: 'telling',
    licenses: 'telling',
    storages: 'telling',
  });
});
