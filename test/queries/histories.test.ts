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

const PERIODS = 'valid_from, valid_to, is_current, first_seen, removed_at';

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
  const first_seen = '2026-11-20';
  const whole = { valid_from: first_seen, valid_to: null, is_current: true, first_seen, removed_at: null };
  expect(
    await lab.rows(
      `select player_key, player_name, city, ${PERIODS} from players_history where player_key not in ('berlin/4', 'berlin/5') order by player_key, valid_from`,
    ),
  ).toEqual([
    {
      player_key: 'berlin/1',
      player_name: 'P1',
      city: null,
      ...whole,
      valid_to: '2026-11-25',
      is_current: false,
    },
    { player_key: 'berlin/1', player_name: 'Moved', city: 'Bern', ...whole, valid_from: '2026-11-25' },
    {
      player_key: 'berlin/2',
      player_name: 'P2',
      city: null,
      ...whole,
      valid_to: '2026-11-25',
      is_current: false,
      removed_at: '2026-11-25',
    },
    { player_key: 'berlin/2', player_name: 'P2', city: null, ...whole, valid_from: '2026-11-26' },
    {
      player_key: 'berlin/3',
      player_name: 'P3',
      city: null,
      ...whole,
      valid_to: '2026-11-27',
      is_current: false,
      removed_at: '2026-11-27',
    },
    ...[1, 2, 3, 4, 5].map((id) => ({
      player_key: `munich/${id}`,
      player_name: `P${id}`,
      city: null,
      ...whole,
    })),
  ]);
  expect(
    await lab.rows(
      `select screen_key, is_on, ${PERIODS} from screens_history order by screen_key, valid_from`,
    ),
  ).toEqual([
    { screen_key: 'berlin/1/1', is_on: true, ...whole, valid_to: '2026-11-25', is_current: false },
    {
      screen_key: 'berlin/1/1',
      is_on: false,
      ...whole,
      valid_from: '2026-11-25',
      valid_to: '2026-11-26',
      is_current: false,
    },
    { screen_key: 'berlin/1/1', is_on: true, ...whole, valid_from: '2026-11-26' },
    { screen_key: 'munich/1/1', is_on: true, ...whole },
  ]);
});
