import { expect, it } from 'vitest';
import { type Day, signageViewLab } from './view-lab.ts';

const NOON = '2026-11-21T12:00:00Z';

/** A player and its screen that were seen an hour before, and ones that were not for days. */
const DAY: Day = {
  players: [
    { Id: 1, LastAccess: '2026-11-21T02:00:00Z' },
    { Id: 2, LastAccess: '2026-11-01T02:00:00Z' },
  ],
  screens: {
    1: [{ Id: 11, IsOn: true, LastUpdate: '2026-11-21T02:00:00Z' }],
    2: [{ Id: 21, IsOn: true, LastUpdate: '2026-11-01T02:00:00Z' }],
  },
};

const COUNTED = `
  select
    (select count(*) from player_health where health = 'offline') as offline,
    (select count(*) from player_health where health = 'unknown') as players_unknown,
    (select count(*) from screen_status where state = 'stale') as stale,
    (select count(*) from screen_status where state = 'unknown') as screens_unknown`;
const TOLD = `
  select
    coalesce(sum(players_offline), 0) as offline,
    sum(players_unknown) as players_unknown,
    coalesce(sum(screens_stale), 0) as stale,
    sum(screens_unknown) as screens_unknown
  from daily_trend
  where export_date = '2026-11-21' and players > 0`;

it('the figures of the newest day count what the views of now list, and a second run that is refused takes none of them back', async () => {
  await using lab = await signageViewLab();
  await lab.run('2026-11-21T03:00:00Z', DAY);
  const known = await lab.rows(COUNTED);
  expect(known).toEqual([{ offline: 1, players_unknown: 0, stale: 1, screens_unknown: 0 }]);
  expect((await lab.rows(TOLD)).map(asNumbers)).toEqual(known);
  await lab.run(NOON, { refused: true });
  // What a run of the day was answered is known on that day, whatever a later one was answered.
  expect(await lab.rows(COUNTED)).toEqual(known);
  expect((await lab.rows(TOLD)).map(asNumbers)).toEqual(known);
  await lab.run('2026-11-22T03:00:00Z', { refused: true });
  expect((await lab.rows(TOLD)).map(asNumbers)).toEqual(known);
  expect(await lab.rows(COUNTED)).toEqual([{ offline: 0, players_unknown: 2, stale: 0, screens_unknown: 2 }]);
});

const asNumbers = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
