import { expect, it } from 'vitest';
import type { Config } from '#lib/config/config.ts';
import { viewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const FIRST = '2026-11-20T03:00:00Z';
const SECOND = '2026-11-21T03:00:00Z';

const before = (runTime: string, hours: number) =>
  new Date(Date.parse(runTime) - hours * 3_600_000).toISOString();

it('a screen is stale of its own only if its player is not offline, and nothing that is muted needs attention', async () => {
  await using lab = await viewLab();
  const ago = (hours: number) => before(SECOND, hours);
  const screen = (Id: number, hours: number) => ({ Id, IsOn: true, LastUpdate: ago(hours) });
  await lab.run(SECOND, {
    players: [1, 1, 1, 50, 50].map((hours, index) => ({ Id: index + 1, LastAccess: ago(hours) })),
    screens: { 1: [screen(1, 20)], 2: [screen(1, 30), screen(2, 40)], 3: [screen(1, 1)], 4: [screen(1, 50)] },
    backup_storages: [
      { id: 1, expired_at: ago(24 * 12) },
      { id: 2, expired_at: ago(-24 * 20) },
      { id: 3, expired_at: ago(-24 * 200) },
    ],
    backup_slots: { 1: [{ id: 1 }, { id: 2 }] },
  });
  const shown = async (mute: Config['mute'] = []) => {
    const { findings, muted } = await reportOf(lab.lake, SECOND, { mute });
    const counts = findings.filter(({ id }) => /stale|offline|expiring/.test(id));
    return {
      ...Object.fromEntries(counts.map(({ id, count }) => [id, count])),
      muted: muted.length,
      idle: muted.filter(({ isIdle }) => isIdle).map(({ id }) => id),
    };
  };
  expect(await shown()).toEqual({
    ...{ 'offline-players': 2, 'stale-screens': 3, 'storages-expiring': 2, muted: 0, idle: [] },
  });
  const end = '2026-11-21';
  const ids = ['berlin/2', 'berlin/1/1', 'berlin/4', 'vault/1', 'berlin/99'];
  const mute = ids.map((id) => ({ id, reason: 'rebuilt', end }));
  expect(await shown(mute)).toEqual({
    ...{ 'offline-players': 1, 'storages-expiring': 1, muted: 5, idle: ['berlin/99'] },
  });
  expect(await shown(mute.map((each) => ({ ...each, end: '2026-11-20' })))).toEqual(await shown());
});

it('news of what is muted, and of its screens, is counted for itself: messages leave it out', async () => {
  await using lab = await viewLab({ backup: null });
  for (const [runTime, hours] of [
    [FIRST, 1],
    [SECOND, 20],
  ] as const) {
    const at = before(runTime, hours);
    await lab.run(runTime, {
      players: [1, 2].map((Id) => ({ Id, LastAccess: at })),
      screens: {
        1: (runTime === FIRST ? [1, 2] : [1]).map((Id) => ({ Id, IsOn: true, LastUpdate: at })),
        2: [{ Id: 1, IsOn: true, LastUpdate: at }],
      },
    });
  }
  const mute = [...['berlin/1', 'berlin/2/1'].map((id) => ({ id, reason: 'rebuilt', end: '2026-12-01' }))];
  const { news } = await reportOf(lab.lake, SECOND, { mute });
  const counts = news.kinds.flatMap(({ kind, counts }) => (counts['1'] ? [[kind, counts['1']]] : []));
  expect(Object.fromEntries(counts)).toEqual({
    ...{ 'player offline': 2, 'screen stale': 2, 'screen removed': 1 },
  });
  expect(news.muted).toEqual({ 'player offline': 1, 'screen stale': 2, 'screen removed': 1 });
});

it('the worst are named with their source where two sources may have the same names', async () => {
  await using lab = await viewLab({ backup: null }, { twins: true });
  const players = (hours: number) => ({
    players: [{ Id: 1, Name: 'Lobby', LastAccess: before(FIRST, hours) }],
  });
  const stuck = { pending_file_transfers: { 1: [{ Id: 1, Created: before(FIRST, 100) }] } };
  await lab.run(FIRST, { ...players(20), ...stuck, twins: players(30) });
  const { findings } = await reportOf(lab.lake, FIRST);
  const worstOf = (card: string) => findings.find(({ id }) => id === card)?.worst.map(({ name }) => name);
  expect(worstOf('offline-players')).toEqual(['Lobby (munich)', 'Lobby (berlin)']);
  expect(worstOf('stuck-transfers')).toEqual(['Lobby (berlin)']);
});
