import { expect, it } from 'vitest';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { signageViewLab } from './view-lab.ts';

const NEVER = '0001-01-01T00:00:00Z';

it('player_health says who is offline and for how long, who was never seen, and what is not known', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const seen = (Id: number, LastAccess: string | undefined, more: object = {}) => ({
    Id,
    Name: `P${Id}`,
    BoxState: 'Activated',
    IsInstalled: true,
    IsLicensed: true,
    LicenseType: 'Player',
    ...(LastAccess !== undefined && { LastAccess }),
    ...more,
  });
  const players = [
    seen(1, '2026-11-21T02:30:00Z'),
    seen(2, '2026-11-19T03:00:00Z', { BoxState: 'activated', IsLicensed: false }),
    seen(3, NEVER, { BoxState: 'New' }),
    seen(4, undefined, { IsInstalled: undefined }),
    seen(5, '2026-11-20T19:00:00Z'),
  ];
  await lab.run('2026-11-21T03:00:00Z', {
    players,
    screens: { 1: [{ Id: 1, IsOn: true }], 2: 'denied' },
    pending_file_transfers: { 1: [{ Id: 10 }, { Id: 11 }], 2: 'denied', 3: [] },
  });
  expect(
    await lab.rows(`
      select player_id, health, offline_hours, is_expected, pending_transfers, screens
      from player_health
      order by player_id`),
  ).toEqual([
    {
      player_id: '1',
      health: 'online',
      offline_hours: 0.5,
      is_expected: true,
      pending_transfers: 2,
      screens: 1,
    },
    {
      player_id: '2',
      health: 'offline',
      offline_hours: 48,
      is_expected: false,
      pending_transfers: null,
      screens: null,
    },
    {
      player_id: '3',
      health: 'never seen',
      offline_hours: null,
      is_expected: false,
      pending_transfers: 0,
      screens: 0,
    },
    {
      player_id: '4',
      health: 'never seen',
      offline_hours: null,
      is_expected: true,
      pending_transfers: 0,
      screens: 0,
    },
    {
      player_id: '5',
      health: 'online',
      offline_hours: 8,
      is_expected: true,
      pending_transfers: 0,
      screens: 0,
    },
  ]);
});

it('player_health knows players of which every one was never seen', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  await lab.run('2026-11-21T03:00:00Z', { players: [{ Id: 1, Name: 'P1', LastAccess: NEVER }] });
  expect(await lab.rows('select player_id, health from player_health')).toEqual([
    { player_id: '1', health: 'never seen' },
  ]);
});

it('a box state in other words speaks against no player, and data_quality lists it', async () => {
  await using lab = await signageViewLab(SIGNAGE_ALONE);
  const words = ['Aktiv', 'Deactivated', 'deleted', 'NEW', 'Reserved', 'undefined'];
  const players = words.map((BoxState, place) => ({
    Id: place + 1,
    Name: `P${place}`,
    BoxState,
    LastAccess: NEVER,
  }));
  await lab.run('2026-11-21T03:00:00Z', { players });
  for (const view of ['player_health', 'player_days'])
    expect(await lab.rows(`select player_id as id from ${view} where is_expected order by id`), view).toEqual(
      [{ id: '1' }, { id: '2' }],
    );
  expect(
    await lab.rows(`select distinct value from data_quality where finding = 'unknown value' order by value`),
  ).toEqual([{ value: 'Aktiv' }, { value: 'Deactivated' }]);
});
