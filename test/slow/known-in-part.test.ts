import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { tileFigures } from '#lib/report/page/tile-figures.ts';
import { verdict } from '#lib/report/page/verdict.ts';
import type { ReportData } from '#lib/report/report-data.ts';
import { signageViewLab, viewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const NOW = '2026-11-11T04:00:00Z';
/** How many of each kind of news there are since the day before. */
const countsOf = ({ news }: ReportData) =>
  Object.fromEntries(news.kinds.map(({ kind, counts }) => [kind, counts['1']]));
const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T03:00:00Z`;

it('licences are not known to be left if a record does not say how many, or says neither number', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  const known = { Type: 'A', TotalCount: 10, AvailableCount: 5 };
  for (const [day, TotalCount, AvailableCount] of [
    [8, 100, 0],
    [9, 100, null],
    [10, null, null],
  ] as const) {
    const licenses = [known, { Type: 'B', TotalCount, AvailableCount }];
    await lab.run(at(day), { licenses, twins: { licenses: [known] } });
  }
  const told =
    "select licenses, licenses_total, licenses_used from daily_trend where export_source = 'berlin' order by export_date";
  expect(await lab.cells(told)).toEqual([
    [2, 110, 105],
    [2, 110, null],
    [2, null, null],
  ]);
  const data = await reportOf(lab.lake, '2026-11-10T04:00:00Z');
  const { licenses_total, licenses_used } = data.trend.series;
  expect(licenses_total).toEqual([120, 120, null]);
  expect(licenses_used).toEqual([110, null, null]);
  const tile = tileFigures(data, localFormats('en-GB', 'UTC')).find(({ name }) => name === 'licenses');
  expect([tile?.figure.values.at(-1), tile?.isWholeKnown, tile?.note]).toEqual([null, false, '– used']);
});

it('no news of a day before which nobody knew a state is not known, whatever the listings answered', async () => {
  await using lab = await signageViewLab();
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  for (const day of [9, 10, 11])
    await lab.run(at(day), {
      players: ids.map((Id) => ({ Id, LastAccess: day === 10 ? null : at(Id < 4 ? 10 : day) })),
    });
  expect(countsOf(await reportOf(lab.lake, NOW))).toMatchObject({
    'player offline': null,
    'player recovered': null,
    'player added': 0,
  });
});

it('no news of screens says of how many nobody knows, on one of the two days', async () => {
  await using lab = await signageViewLab();
  const day = (date: number, ...states: (boolean | null)[]) =>
    lab.run(at(date), {
      players: [{ Id: 1, LastAccess: at(date) }],
      screens: { 1: states.map((IsOn, place) => ({ Id: place + 1, IsOn, LastUpdate: at(date) })) },
    });
  await day(10, true, true, null);
  await day(11, true, null, true, null);
  const data = await reportOf(lab.lake, NOW);
  const told = data.news.kinds.find(({ kind }) => kind === 'screen off');
  expect([told?.counts['1'], told?.unknown]).toEqual([0, { '1': 2, '7': 0, '30': 0 }]);
  expect(data.news.kinds.find(({ kind }) => kind === 'player offline')?.unknown['1']).toBe(0);
});

it('a screen of a listing that the last run of the day before did not get is not known to be new, or not', async () => {
  await using lab = await signageViewLab();
  const day = (date: string, first: 'denied' | readonly number[]) =>
    lab.run(`2026-11-${date}:00:00Z`, {
      players: [1, 2].map((Id) => ({ Id, LastAccess: `2026-11-${date}:00:00Z` })),
      screens: { 1: first === 'denied' ? first : first.map((Id) => ({ Id })), 2: [{ Id: 21 }] },
    });
  await day('10T03', []);
  await day('10T15', 'denied');
  await day('11T03', [11]);
  expect(countsOf(await reportOf(lab.lake, NOW))).toMatchObject({
    'screen added': null,
    'screen removed': 0,
    'player added': 0,
  });
});

it('how many players went offline is a least number where of others nobody knew a state the day before', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  const players = (seen: (id: number) => string | null) =>
    Array.from({ length: 12 }, (_, index) => ({ Id: index + 1, LastAccess: seen(index + 1) }));
  await lab.run(at(9), { players: players(() => at(9)), twins: { players: players(() => at(9)) } });
  await lab.run(at(10), { players: players(() => at(10)), twins: { players: players(() => null) } });
  await lab.run(at(11), {
    players: players((id) => at(id === 1 ? 10 : 11)),
    twins: { players: players(() => at(11)) },
  });
  const data = await reportOf(lab.lake, NOW);
  expect(data.news.kinds[0]).toMatchObject({
    kind: 'player offline',
    counts: { '1': 1 },
    unknown: { '1': 12 },
  });
  expect(verdict(data, localFormats('en-GB', 'UTC'))).toContain('at least 1 went offline');
});

it('days until a storage expires count from the newest run, though its listing is denied since', async () => {
  await using lab = await viewLab();
  const storage = { id: 1, customer_name: 'S', size: 9000, expired_at: '2026-11-20T03:00:00Z' };
  await lab.run('2026-10-10T03:00:00Z', { backup_storages: [storage] });
  await lab.run(at(10), { backup_storages: 'denied' });
  expect(await lab.cells('select days_to_expiry from backup_usage')).toEqual([[10]]);
});

it('a sum of slots is not known where one of them says no size', async () => {
  await using lab = await viewLab();
  await lab.run(at(10), {
    backup_pricing: [{ code: 'a', price: 2, unit: 'gb' }],
    backup_storages: [{ id: 1, customer_name: 'S', size: 9000 }],
    backup_slots: {
      1: [
        { id: 1, storage_used: 5 },
        { id: 2, size: 10, storage_used: 5 },
      ],
    },
  });
  expect(await lab.cells('select distinct storage_reserved, storage_idle from backup_usage')).toEqual([
    [null, null],
  ]);
  expect(await lab.cells('select cost from backup_cost')).toEqual([[null]]);
});

it('a queue that no run of the day could read is unknown in the list, and not stuck', async () => {
  await using lab = await signageViewLab();
  for (const day of [9, 10, 11])
    await lab.run(at(day), {
      players: [{ Id: 1, Name: 'P' }],
      pending_file_transfers: { 1: day < 11 ? [{ Id: 1, Created: at(8) }] : 'denied' },
    });
  const { tables } = await reportOf(lab.lake, NOW);
  const [row] = tables.find(({ id }) => id === 'transfers')?.rows ?? [];
  expect(row?.slice(0, 3)).toEqual(['P', 'unknown', 1]);
});

it('licences of records without a type are a type each, and nobody knows how many players use them', async () => {
  await using lab = await signageViewLab();
  await lab.run(at(10), {
    players: [{ Id: 1, LicenseType: 'A' }, { Id: 2 }],
    licenses: [
      { Id: 1, Type: 'A', TotalCount: 5, AvailableCount: 4 },
      { Id: 2, TotalCount: 7, AvailableCount: 3 },
      { Id: 3, TotalCount: 9, AvailableCount: 1 },
    ],
  });
  const page = await readFile('docs/read/questions.md', 'utf8');
  const asked = async (question: string) => {
    const [, sql = ''] = page.split(`### ${question}`)[1]?.match(/```sql\n([^`]+)```/) ?? [];
    return (await lab.cells(sql)).map((cells) => cells.slice(-3));
  };
  expect(await asked('Do the players use what was bought?')).toEqual([
    ['2', 7, null],
    ['3', 9, null],
    ['A', 5, 1],
  ]);
  expect(await asked('How many were used at most, month by month?')).toEqual([
    ['berlin', '2', 4],
    ['berlin', '3', 8],
    ['berlin', 'A', 1],
  ]);
});

it.each([
  ['another waits', [{ Id: 1, Created: at(10) }]],
  ['nobody waits', []],
] as const)(
  'a queue of a player without a licence, which no run could read, hides no stuck players: %s',
  async (_, queue) => {
    await using lab = await signageViewLab({ config: { groups: ['City'] } });
    await lab.run(at(10), {
      players: [1, 2].map((Id) => ({ Id, City: 'Bern', LastAccess: at(10), IsLicensed: Id === 1 })),
      pending_file_transfers: { 1: queue, 2: 'denied' },
    });
    for (const view of ['daily_trend', 'group_trend'])
      expect(await lab.cells(`select players_stuck, players_stuck_unknown from ${view}`)).toEqual([[0, 0]]);
  },
);
