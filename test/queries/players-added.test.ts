import { expect, it } from 'vitest';
import { signageViewLab } from './view-lab.ts';

/** What runs are told at a time of November: players, or that their listing or all is refused. */
type Runs = Readonly<Record<string, readonly number[] | 'denied' | 'refused'>>;

it.each<
  readonly [what: string, config: object, runs: Runs, days: Readonly<Record<string, readonly unknown[]>>]
>([
  [
    'that come later are added on their day, and those of the first day are not',
    {},
    { '20T03': [1, 2], '21T03': [1, 2, 3, 4, 5], '22T03': [1, 3, 4, 5] },
    { 20: [0, 0], 21: [3, 0], 22: [0, 1] },
  ],
  [
    'that came on the oldest day that is kept are added on it, once the days before are gone',
    { dailyRetentionDays: 2 },
    { '20T03': [1, 2], '21T03': [1, 2, 3, 4, 5], '22T03': [1, 2, 3, 4, 5] },
    { 21: [3, 0], 22: [0, 0] },
  ],
  [
    'that come on the first day of a source, after its first listing, are added on it',
    {},
    { '20T00': [1, 2], '20T01': [1, 2, 3, 4], '20T02': [1, 3, 4] },
    { 20: [2, 1] },
  ],
  [
    'that come on the first day of a source, after a listing without an answer, are added on it',
    {},
    { '20T00': 'denied', '20T01': [1, 2], '20T02': [1, 2, 3] },
    { 20: [1, 0] },
  ],
  [
    'that came in the morning are added on their day, though nobody answers in the afternoon',
    { maxShrink: 1 },
    { '20T03': [1], '21T03': [1, 2], '21T15': 'refused', '22T03': 'refused', '23T03': [2] },
    { 20: [0, 0], 21: [1, 0], 22: [null, null], 23: [0, 1] },
  ],
])('players %s', async (_, config, runs, days) => {
  await using lab = await signageViewLab({ config });
  for (const [at, told] of Object.entries(runs)) {
    const LastAccess = `2026-11-${at}:00:00Z`;
    const players = typeof told === 'string' ? 'denied' : told.map((Id) => ({ Id, LastAccess }));
    await lab.run(LastAccess, { players, licenses: [{ Type: 'A' }], refused: told === 'refused' });
  }
  expect(
    await lab.cells('select export_date, players_added, players_removed from daily_trend order by all'),
  ).toEqual(Object.entries(days).map(([day, counts]) => [`2026-11-${day}`, ...counts]));
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
