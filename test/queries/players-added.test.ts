import { expect, it } from 'vitest';
import { signageViewLab } from './view-lab.ts';

it('players that come later are added on their day, and those of the first day are not', async () => {
  await using lab = await signageViewLab();
  for (const [day, ids] of [
    ['2026-11-20', [1, 2]],
    ['2026-11-21', [1, 2, 3, 4, 5]],
    ['2026-11-22', [1, 3, 4, 5]],
  ] as const)
    await lab.run(`${day}T03:00:00Z`, {
      players: ids.map((Id) => ({ Id, LastAccess: `${day}T02:00:00Z` })),
    });
  const days = await lab.cells(
    'select export_date, players_added, players_removed from daily_trend order by all',
  );
  expect(days).toEqual([
    ['2026-11-20', 0, 0],
    ['2026-11-21', 3, 0],
    ['2026-11-22', 0, 1],
  ]);
});
