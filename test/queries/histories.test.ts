import { expect, it } from 'vitest';
import { signageViewLab } from './view-lab.ts';

/** Five players that were seen at that time; some are gone, and some have another name, city or screen. */
function said(LastAccess: string, { gone = [] as number[], names = {}, isOn = true } = {}) {
  const ids = [1, 2, 3, 4, 5].filter((Id) => !gone.includes(Id));
  const screen = { Id: 1, Number: 1, IsOn: isOn, LastUpdate: LastAccess, LastStatusChange: LastAccess };
  return {
    players: ids.map((Id) => ({
      Id,
      Name: `P${Id}`,
      LastAccess,
      Modified: LastAccess,
      ...Reflect.get(names, Id),
    })),
    screens: { 1: [screen] },
  };
}

const PERIODS = 'valid_from, valid_to, removed_at, is_current, first_seen';

it('players_history and screens_history have a row for each time in which what a record says stayed the same', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  const moved = { 1: { Name: 'Moved', City: 'Bern' } };
  const twins = said('2026-11-19T02:00:00Z');
  await lab.run('2026-11-20T03:00:00Z', { ...said('2026-11-20T02:00:00Z'), twins });
  await lab.run('2026-11-21T03:00:00Z', { ...said('2026-11-21T02:00:00Z'), twins });
  // Nobody answers, then the source is left out: what it says is not known.
  await lab.run('2026-11-22T03:00:00Z', { refused: true, twins });
  await lab.run('2026-11-23T03:00:00Z', { twins }, ['munich']);
  // No run on the 24th. Meanwhile one player moved, and one left.
  const later = { gone: [2], names: moved, isOn: false };
  await lab.run('2026-11-25T03:00:00Z', { ...said('2026-11-25T02:00:00Z', later), twins });
  await lab.run('2026-11-26T03:00:00Z', { ...said('2026-11-26T02:00:00Z', { names: moved }), twins });
  await lab.run('2026-11-27T03:00:00Z', {
    ...said('2026-11-27T02:00:00Z', { gone: [3], names: moved }),
    twins,
  });
  const first = '2026-11-20';
  const whole = [first, null, null, true, first];
  expect(
    await lab.cells(`
      select player_key, player_name, city, ${PERIODS}
      from players_history
      where player_key not in ('berlin/4', 'berlin/5')
      order by player_key, valid_from`),
  ).toEqual([
    ['berlin/1', 'P1', null, first, '2026-11-25', null, false, first],
    ['berlin/1', 'Moved', 'Bern', '2026-11-25', null, null, true, first],
    ['berlin/2', 'P2', null, first, '2026-11-25', '2026-11-25', false, first],
    ['berlin/2', 'P2', null, '2026-11-26', null, null, true, first],
    ['berlin/3', 'P3', null, first, '2026-11-27', '2026-11-27', false, first],
    ...[1, 2, 3, 4, 5].map((id) => [`munich/${id}`, `P${id}`, null, ...whole]),
  ]);
  expect(
    await lab.cells(
      `select screen_key, is_on, ${PERIODS} from screens_history order by screen_key, valid_from`,
    ),
  ).toEqual([
    ['berlin/1/1', true, first, '2026-11-25', null, false, first],
    ['berlin/1/1', false, '2026-11-25', '2026-11-26', null, false, first],
    ['berlin/1/1', true, '2026-11-26', null, null, true, first],
    ['munich/1/1', true, ...whole],
  ]);
});
