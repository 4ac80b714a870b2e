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

it('players that came on the oldest day that is kept are added on it, once the days before are gone', async () => {
  await using lab = await signageViewLab({ config: { dailyRetentionDays: 2 } });
  for (const [day, ids] of [
    ['20', [1, 2]],
    ['21', [1, 2, 3, 4, 5]],
    ['22', [1, 2, 3, 4, 5]],
  ] as const)
    await lab.run(`2026-11-${day}T03:00:00Z`, {
      players: ids.map((Id) => ({ Id, LastAccess: `2026-11-${day}T02:00:00Z` })),
    });
  expect(await lab.cells('select export_date, players_added from daily_trend order by all')).toEqual([
    ['2026-11-21', 3],
    ['2026-11-22', 0],
  ]);
});

it.each([
  [
    'its first listing',
    [
      [1, 2],
      [1, 2, 3, 4],
      [1, 3, 4],
    ],
    [2, 1],
  ],
  ['a listing without an answer', ['denied', [1, 2], [1, 2, 3]], [1, 0]],
] as const)(
  'players that come on the first day of a source, after %s, are added on it',
  async (_, runs, counts) => {
    await using lab = await signageViewLab();
    for (const [index, ids] of runs.entries())
      await lab.run(`2026-11-20T0${index}:00:00Z`, {
        players: ids === 'denied' ? ids : ids.map((Id) => ({ Id })),
        licenses: [{ Type: 'A' }],
      });
    expect(await lab.cells('select players_added, players_removed from daily_trend')).toEqual([counts]);
  },
);

it('a player that came in the morning is added on its day, though nobody answers in the afternoon', async () => {
  await using lab = await signageViewLab({ config: { maxShrink: 1 } });
  const saw = (ids: readonly number[]) => ({ players: ids.map((Id) => ({ Id })) });
  await lab.run('2026-11-20T03:00:00Z', saw([1]));
  await lab.run('2026-11-21T03:00:00Z', saw([1, 2]));
  await lab.run('2026-11-21T15:00:00Z', { refused: true });
  await lab.run('2026-11-22T03:00:00Z', { refused: true });
  await lab.run('2026-11-23T03:00:00Z', saw([2]));
  const days = await lab.cells(
    'select export_date, players_added, players_removed from daily_trend order by all',
  );
  expect(days).toEqual([
    ['2026-11-20', 0, 0],
    ['2026-11-21', 1, 0],
    ['2026-11-22', null, null],
    ['2026-11-23', 0, 1],
  ]);
});

it('a fleet that the API says to be empty has 0 of all, and one that was left out has no figures', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  const listed = { players: [{ Id: 1, LastAccess: '2026-11-20T02:00:00Z' }] };
  await lab.run('2026-11-20T03:00:00Z', { twins: listed });
  await lab.run('2026-11-21T03:00:00Z', { twins: listed }, ['munich']);
  const figures = 'players, expected_players, expected_players_online, players_offline, expected_screens_on';
  const days = await lab.cells(
    `select ${figures}, players_stuck from daily_trend where export_source = 'berlin' order by export_date`,
  );
  expect(days).toEqual([
    [0, 0, 0, 0, 0, 0],
    [null, null, null, null, null, null],
  ]);
});
