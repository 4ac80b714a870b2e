import { expect, it } from 'vitest';
import { ofSameSources } from '#lib/report/page/tile-figures.ts';
import { type Day, signageViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const NOW = '2026-11-23T04:00:00Z';

/** Players with a screen each; those up to `denied` do not tell their transfers, which wait since `created`. */
function fleet(count: number, denied = 0, created = '2026-11-23T01:00:00Z'): Day {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  return {
    players: ids.map((id) => ({ Id: id, Name: `P${id}`, LastAccess: '2026-11-23T02:00:00Z' })),
    screens: Object.fromEntries(
      ids.map((id) => [id, [{ Id: 1, IsOn: true, LastUpdate: '2026-11-23T02:00:00Z' }]]),
    ),
    pending_file_transfers: Object.fromEntries(
      ids.map((id) => [id, id <= denied ? 'denied' : [{ Id: id, Created: created }]]),
    ),
  };
}

it('a total of stuck players passes over a source that lacks a few of its queues, unless none is known to be stuck', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  const stuckAfter = async (time: string, denied: number, created?: string) => {
    await lab.run(time, { ...fleet(2, 0, created), twins: fleet(20, denied) });
    return (await reportOf(lab.lake, NOW)).trend.series.players_stuck.at(-1);
  };
  expect(await stuckAfter('2026-11-20T03:00:00Z', 0)).toBe(0);
  expect(await stuckAfter('2026-11-21T03:00:00Z', 1)).toBeNull();
  expect(await stuckAfter('2026-11-22T03:00:00Z', 1, '2026-11-19T01:00:00Z')).toBe(2);
  expect(await stuckAfter('2026-11-23T03:00:00Z', 9, '2026-11-19T01:00:00Z')).toBeNull();
});

it('the line of a tile has a gap on a day of other sources, and no fall', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  for (const [day, twins] of [fleet(2), { refused: true }, fleet(2)].entries())
    await lab.run(`2026-11-${21 + day}T03:00:00Z`, { ...fleet(2), twins });
  const { trend } = await reportOf(lab.lake, NOW);
  const values = trend.series.expected_screens_on;
  expect(values).toEqual([4, 2, 4]);
  const figure = { values, kind: 'number', sources: trend.sources.expected_screens_on } as const;
  expect(ofSameSources(figure)).toEqual([4, null, 4]);
});

it('screens that are on are not compared with a day before which nobody could read those of a source', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  const LastUpdate = '2026-11-23T02:00:00Z';
  const players = [1, 2, 3].map((Id) => ({ Id, IsLicensed: Id < 3, LastAccess: LastUpdate }));
  const on = [{ Id: 1, IsOn: true, LastUpdate }];
  const denied = { players, screens: { 1: 'denied', 2: 'denied', 3: on } } as const;
  const read = { players, screens: { 1: on, 2: on, 3: on } };
  for (const [day, twins] of [denied, read].entries()) {
    await lab.run(`2026-11-${21 + day}T03:00:00Z`, { ...fleet(2), twins });
    await lab.run(`2026-11-${21 + day}T05:00:00Z`, { ...fleet(2), twins: { refused: true } });
  }
  const { series, sources } = (await reportOf(lab.lake, NOW)).trend;
  expect(series.expected_screens_on).toEqual([2, 4]);
  expect(sources.expected_screens_on).toEqual([0, 1]);
});

it('news of nothing are not known where the newest run left a source out', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  const offlineAfter = async (time: string, sources?: string[]) => {
    await lab.run(time, { ...fleet(2), twins: fleet(2) }, sources);
    const { news } = await reportOf(lab.lake, NOW);
    return news.kinds.find(({ kind }) => kind === 'player offline')?.counts['1'];
  };
  expect(await offlineAfter('2026-11-21T03:00:00Z')).toBeNull();
  expect(await offlineAfter('2026-11-22T03:00:00Z')).toBe(0);
  expect(await offlineAfter('2026-11-23T03:00:00Z', ['berlin'])).toBeNull();
});

it('news of nothing are not known where a source did not answer on the day that they compare with', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  await lab.run('2026-11-21T03:00:00Z', { ...fleet(2), twins: fleet(2) });
  await lab.run('2026-11-22T03:00:00Z', { ...fleet(2), twins: { refused: true } });
  await lab.run('2026-11-23T03:00:00Z', { ...fleet(2), twins: fleet(2) });
  const { news } = await reportOf(lab.lake, NOW);
  expect(news.kinds.find(({ kind }) => kind === 'player offline')?.counts['1']).toBeNull();
  expect(news.players).toMatchObject({ since: '2026-11-22', isWhole: false });
});

it('news of screens are known where the API says when their players were seen', async () => {
  await using lab = await signageViewLab();
  const staleAfter = async (at: string, more: object) => {
    const players = [1, 2].map((Id) => ({ Id, LastAccess: at, ...(Id === 2 && more) }));
    await lab.run(at, { players, screens: { 1: [{ Id: 1, IsOn: true }], 2: [{ Id: 1, IsOn: true }] } });
    const { news } = await reportOf(lab.lake, NOW);
    return news.kinds.find(({ kind }) => kind === 'screen stale')?.counts['1'];
  };
  expect(await staleAfter('2026-11-21T03:00:00Z', {})).toBeNull();
  expect(await staleAfter('2026-11-22T03:00:00Z', {})).toBe(0);
  expect(await staleAfter('2026-11-23T03:00:00Z', { LastAccess: '2026-11-22T03:00:00Z' })).toBe(1);
});

it('news of screens are not known where the API dates the reports of neither them nor their players', async () => {
  await using lab = await signageViewLab();
  for (const day of [22, 23])
    await lab.run(`2026-11-${day}T03:00:00Z`, {
      players: [{ Id: 1 }],
      screens: { 1: [{ Id: 1, IsOn: true }] },
    });
  const { news } = await reportOf(lab.lake, NOW);
  expect(news.kinds.find(({ kind }) => kind === 'screen stale')?.counts['1']).toBeNull();
});

it.each([
  ['cron(0 3 * * ? *)', '2026-11-21T06:00:00.000Z'],
  ['cron(0 3 ? * MON-FRI *)', '2026-11-23T06:00:00.000Z'],
  ['rate(4 hours)', '2026-11-20T10:00:00.000Z'],
  ['cron(0 3 20 11 ? 2026)', null],
])(
  'a page of a Friday is old when the next run of %s could have committed: %s',
  async (schedule, oldFrom) => {
    await using lab = await signageViewLab();
    await lab.run('2026-11-20T03:00:00Z', fleet(1));
    const report = await reportOf(lab.lake, '2026-11-20T04:00:00Z', { schedule, timeZone: 'UTC' });
    expect(report.oldFrom).toBe(oldFrom);
  },
);
