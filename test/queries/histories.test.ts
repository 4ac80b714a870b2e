import { expect, it } from 'vitest';
import { signageViewLab } from './view-lab.ts';

const ALL = [1, 2, 3, 4];

it('a player and a screen that come back as they were have a row for each time in which they were there', async () => {
  await using lab = await signageViewLab();
  for (const [day, ids] of Object.entries({ 20: ALL, 21: ALL, 22: [1, 3, 4], 23: ALL })) {
    const LastUpdate = `2026-11-${day}T02:00:00Z`;
    await lab.run(`2026-11-${day}T03:00:00Z`, {
      players: ids.map((Id) => ({ Id, LastAccess: LastUpdate })),
      screens: Object.fromEntries(ids.map((id) => [id, [{ Id: 1, IsOn: true, LastUpdate }]])),
    });
  }
  const first = '2026-11-20';
  const periods = 'valid_from, valid_to, removed_at, is_current, first_seen';
  for (const [view, key, of] of [
    ['players_history', 'player_id', ''],
    ['screens_history', 'screen', '/1'],
  ])
    expect(
      await lab.cells(`select ${key}, ${periods} from ${view} where player_id < '3' order by all`),
      view,
    ).toEqual([
      [`1${of}`, first, null, null, true, first],
      [`2${of}`, first, '2026-11-22', '2026-11-22', false, first],
      [`2${of}`, '2026-11-23', null, null, true, first],
    ]);
});
