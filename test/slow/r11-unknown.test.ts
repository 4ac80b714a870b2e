import { describe, expect, it } from 'vitest';
import { writeWorkbook } from '#lib/report/workbook/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { signageViewLab, type ViewLab, viewLab } from '../queries/view-lab.ts';
import { countsOf, reportOf } from '../report/report-of.ts';
import { readZip } from '../report/zip.ts';

const DAY = '2026-11-20T03:00:00Z';
/** Of a run, not of what the API has. */
const OF_RUNS = new Set(['export_date', 'date', 'export_source', 'status', 'coverage', 'runs']);

/** Every figure of the day's trend by its name, of each source that says one. */
async function figures(lab: ViewLab): Promise<Readonly<Record<string, unknown>>> {
  const rows = await lab.rows('select * from daily_trend');
  const told = rows.flatMap((row) => Object.entries(row).filter(([name]) => !OF_RUNS.has(name)));
  return Object.fromEntries(told.filter(([, value]) => value !== null));
}

describe('R11: unknown is never shown as none', () => {
  it('of sources that were refused there is no figure, in views and on the page', async () => {
    await using lab = await viewLab();
    await lab.run(DAY, { refused: true });
    expect(await figures(lab)).toEqual({});
    const { trend, freshness } = await reportOf(lab.lake, DAY);
    const series = Object.values(trend.series).flat();
    expect(series.length).toBeGreaterThan(10);
    expect(series.filter((value) => value !== null)).toEqual([]);
    // Nobody knows how many there are: the column says nothing, so it is not there.
    expect(freshness.columns.map(({ label }) => label)).toContain('Not answered');
    expect(freshness.columns.map(({ label }) => label)).not.toContain('Listed');
  });

  it('of a source that is refused while the other is whole no list, tile, count or sheet says none', async () => {
    await using lab = await viewLab();
    const LastAccess = '2026-11-20T02:00:00Z';
    const slots = { 7: [{ id: 1, size: 1000, storage_used: 100 }] };
    const whole = { backup_storages: [{ id: 7 }], backup_slots: slots };
    const screens = { 1: [{ Id: 1, IsOn: true, LastUpdate: LastAccess }] };
    await lab.run(DAY, { ...whole, players: [{ Id: 1, LastAccess }], screens });
    await lab.run('2026-11-21T03:00:00Z', { ...whole, players: 'denied', licenses: 'denied' });
    const data = await reportOf(lab.lake, DAY);
    const last = (key: keyof typeof data.trend.series) => data.trend.series[key].at(-1);
    // All that is known of the players is of the day before.
    const ofPlayers = ['expected_players', 'expected_players_unknown', 'expected_players_online'] as const;
    expect(ofPlayers.map(last)).toEqual([1, 1, null]);
    expect([last('licenses_total'), last('backup_used')]).toEqual([null, 100]);
    expect(data.incomplete).toEqual(['berlin']);
    const tiles = ['players', 'screens', 'hours', 'transfers', 'licenses'];
    const without = Object.fromEntries(tiles.map((tile) => [tile, ['berlin']]));
    expect(data.without).toEqual({ ...without, backup: [] });
    const told = Object.entries(data.notKnown).filter(([, sentences]) => sentences.length > 0);
    expect(told.map(([tile]) => tile)).toEqual(tiles);
    expect(countsOf(data)).toMatchObject({
      ...{ 'player offline': null, 'player recovered': null, 'screen stale': null },
      ...{ 'player added': null, 'player removed': null, 'storage grew': 0 },
    });
    expect(data.newsList?.notKnown).not.toEqual([]);
    const silent = [...data.tables, ...(data.newsList === null ? [] : [data.newsList])].filter(
      ({ total, notKnown }) => total === 0 && notKnown.length === 0,
    );
    // A backup source alone is behind these, and it answered.
    expect(silent.map(({ id }) => id)).toEqual(['slots', 'cost']);
    using tables = await openTables(lab.lake);
    const unknown = await notKnown(tables);
    const ofPlayersOrLicences = ['players', 'screens', 'licenses', 'pending_file_transfers', 'player_health'];
    expect([...unknown.keys()]).toEqual(expect.arrayContaining(ofPlayersOrLicences));
    expect(unknown.has('backup_slots')).toBe(false);
    const record = await readRunRecord(lab.lake, tables.head.runId);
    const sheets = readZip(await writeWorkbook(tables, record, { now: new Date(DAY), language: 'en' }));
    expect([...sheets.values()].join('')).toContain('Not known: the listing licenses of source berlin');
  });

  it('of screens and transfers that no player was answered no figure is 0, also cut by a group', async () => {
    await using lab = await signageViewLab();
    const players = [{ Id: 1, Name: 'A', City: 'Ulm', LastAccess: '2026-11-20T02:00:00Z' }];
    const denied = { 1: 'denied' } as const;
    await lab.run(DAY, { players, screens: denied, pending_file_transfers: denied, licenses: 'denied' });
    const known = Object.keys(await figures(lab));
    expect(known).toContain('players_online');
    expect(known.filter((name) => !/player/.test(name) || /wait|stuck/.test(name))).toEqual([]);
    const [ulm = {}] = await lab.rows("select * from group_trend where group_value = 'Ulm'");
    expect(ulm).toMatchObject({ players_online: 1, expected_players: 1 });
    const ofChildren = Object.entries(ulm).filter(([name]) => /screens|transfers|wait|stuck/.test(name));
    expect(ofChildren.length).toBeGreaterThan(6);
    expect(ofChildren.filter(([, value]) => value !== null)).toEqual([]);
    using tables = await openTables(lab.lake);
    const unknown = await notKnown(tables);
    expect(unknown.get('daily_trend')?.length).toBe(3);
  });

  it('of what was asked for and is empty the figure is 0', async () => {
    await using lab = await viewLab();
    await lab.run(DAY, { players: [{ Id: 1, Name: 'A', LastAccess: '2026-11-20T02:00:00Z' }] });
    expect(await figures(lab)).toMatchObject({ players: 1, players_offline: 0, pending_transfers: 0 });
  });
});

it('screens and queues that no player could be asked for are not known, by source and by group', async () => {
  await using lab = await signageViewLab({ config: { groups: ['City'] } });
  const at = '2026-11-21T03:00:00Z';
  // Two players share an id, so nothing says whose screens and files an answer has.
  const players = [1, 1, 2].map((Id, index) => ({ Id, Name: `p${index}`, City: 'Bern', LastAccess: at }));
  const { sources } = await lab.run(at, { players, screens: { 1: [{ Id: 1, IsOn: true }] } });
  expect(sources[0]?.outcomes.failed).toBeGreaterThan(0);
  const figures = 'screens, expected_screens_on, pending_transfers, players_waiting, players_stuck';
  const unknown = Object.fromEntries(figures.split(', ').map((name) => [name, null]));
  const [ofSource] = await lab.rows(`select players, ${figures} from daily_trend`);
  expect(ofSource).toEqual({ players: 3, ...unknown });
  expect(await lab.rows(`select ${figures} from group_trend where group_value = 'Bern'`)).toEqual([unknown]);
});

it('a player that a later run of the day brought is not known where its listings had no answer', async () => {
  await using lab = await signageViewLab({ config: { groups: ['City'] } });
  const run = async (time: string, ids: readonly number[], denied: readonly number[]) => {
    const LastAccess = `2026-11-${time}:00Z`;
    const ofEach = (told: (id: number) => readonly object[]) =>
      Object.fromEntries(ids.map((id) => [id, denied.includes(id) ? ('denied' as const) : told(id)]));
    await lab.run(LastAccess, {
      players: ids.map((Id) => ({ Id, City: Id % 2 === 0 ? 'Ulm' : 'Bern', LastAccess })),
      screens: ofEach((id) => [{ Id: id, IsOn: true }]),
      pending_file_transfers: ofEach((id) =>
        id > 2 ? [] : [{ Id: id, Created: id === 1 ? '2026-11-20T00:00:00Z' : LastAccess }],
      ),
    });
  };
  await run('20T03:00', [1, 2, 3], []);
  await run('21T03:00', [1, 2, 3], []);
  // A listing that the first run of the day could read is known.
  await run('21T10:00', [1, 2, 3, 4], [2, 4]);
  const told = (view: string, columns: string) =>
    lab.flat(`select ${columns} from ${view} where export_date = '2026-11-21' order by all`);
  expect(await told('daily_trend', 'players_stuck_unknown')).toEqual([1]);
  const groups = await told('group_trend', 'group_value, players_stuck, players_stuck_unknown');
  expect(groups).toEqual([...['Bern', 1, 0], ...['Ulm', null, 1]]);
  const { kinds } = (await reportOf(lab.lake, '2026-11-21T12:00:00Z')).news;
  const added = kinds.find(({ kind }) => kind === 'screen added');
  expect(added).toMatchObject({ counts: { '1': null }, isLeast: { '1': true } });
});
