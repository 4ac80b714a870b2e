import { expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { ofSameSources, tileFigures } from '#lib/report/page/tile-figures.ts';
import { type Day, type LabRun, labAfter, signageViewLab, viewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';
import { sqlOfQuestion } from '../support/sql-of-questions.ts';

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T03:00:00Z`;
const NOW = '2026-11-23T04:00:00Z';
const SEEN = '2026-11-23T02:00:00Z';
const ON = [{ Id: 1, IsOn: true, LastUpdate: SEEN }];

/** Players with a screen each; those up to `denied` do not tell their transfers, which wait since `created`. */
function fleet(count: number, denied = 0, created = '2026-11-23T01:00:00Z'): Day {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  return {
    players: ids.map((Id) => ({ Id, Name: `P${Id}`, LastAccess: SEEN })),
    screens: Object.fromEntries(ids.map((id) => [id, ON])),
    pending_file_transfers: Object.fromEntries(
      ids.map((id) => [id, id <= denied ? 'denied' : [{ Id: id, Created: created }]]),
    ),
  };
}

it('licences are not known to be left if a record does not say how many, or says neither number', async () => {
  const known = { Type: 'A', TotalCount: 10, AvailableCount: 5 };
  const day = (date: number, TotalCount: number | null, AvailableCount: number | null): LabRun => {
    return [
      at(date),
      { licenses: [known, { Type: 'B', TotalCount, AvailableCount }], twins: { licenses: [known] } },
    ];
  };
  const days = [day(8, 100, 0), day(9, 100, null), day(10, null, null)];
  await using lab = await labAfter(signageViewLab({}, { twins: true }), days);
  const told =
    "select licenses, licenses_total, licenses_used from daily_trend where export_source = 'berlin' order by export_date";
  expect(await lab.flat(told)).toEqual([...[2, 110, 105], ...[2, 110, null], ...[2, null, null]]);
  const data = await reportOf(lab.lake, '2026-11-10T04:00:00Z');
  const { licenses_total, licenses_used } = data.trend.series;
  const due = { licenses_total: [120, 120, null], licenses_used: [110, null, null] };
  expect({ licenses_total, licenses_used }).toEqual(due);
  const tile = tileFigures(data, localFormats('en-GB', 'UTC')).find(({ name }) => name === 'licenses');
  expect([tile?.figure.values.at(-1), tile?.isWholeKnown, tile?.note]).toEqual([null, false, '– used']);
});

it('a run that a question alone makes partial has read each screen, and takes no hour from the day before', async () => {
  await using lab = await signageViewLab();
  const said = (day: number, hour: number) => {
    const time = at(day).replace('T03', `T${String(hour).padStart(2, '0')}`);
    const ids = Array.from({ length: 12 }, (_, index) => index + 1);
    const isOn = (id: number) => id > 1 || day < 10 || (day === 12 && hour > 10);
    // The API no longer dates switches, which is a question.
    const dated = day < 9 && { LastStatusChange: '2026-11-01T00:00:00Z' };
    return [
      time,
      {
        players: ids.map((Id) => ({ Id, LastAccess: time })),
        screens: Object.fromEntries(
          ids.map((id) => [id, [{ Id: id, IsOn: isOn(id), LastUpdate: isOn(id) ? time : at(9), ...dated }]]),
        ),
      },
    ] as const;
  };
  const dark =
    "select off_hours, known_hours from device_days where device_key = 'berlin/1/1' and export_date = '2026-11-11'";
  for (const [day, hour] of [
    [8, 3],
    [9, 3],
    [10, 3],
    [11, 3],
    [12, 3],
    [12, 11],
    [12, 17],
  ] as const) {
    await lab.run(...said(day, hour));
    if (day === 12) expect(await lab.flat(dark)).toEqual([24, 24]);
  }
  expect(await lab.flat("select distinct status from runs where export_date = '2026-11-12'")).toEqual([
    'partial',
  ]);
});

it('licences are compared with a day on which the API denies other listings', async () => {
  const licenses = (AvailableCount: number) => [{ Type: 'A', TotalCount: 10, AvailableCount }];
  const days: readonly LabRun[] = [
    [at(9), { ...fleet(3, 1), licenses: licenses(5) }],
    [at(10), { ...fleet(3), licenses: licenses(3) }],
  ];
  await using lab = await labAfter(signageViewLab(), days);
  const data = await reportOf(lab.lake, '2026-11-10T04:00:00Z');
  expect(data.trend.series.licenses_used).toEqual([5, 7]);
  expect(data.trend.sources.licenses_used).toEqual([0, 0]);
  expect(data.trend.sources.players_stuck).toEqual([0, 1]);
});

it('licences of records without a type are a type each, and nobody knows how many players use them', async () => {
  const numbers = [
    [5, 4],
    [7, 3],
    [9, 1],
  ].map(([TotalCount, AvailableCount], index) => ({ Id: index + 1, TotalCount, AvailableCount }));
  const licenses = numbers.map((each) => (each.Id === 1 ? { ...each, Type: 'A' } : each));
  const players = [{ Id: 1, LicenseType: 'A' }, { Id: 2 }];
  await using lab = await labAfter(signageViewLab(), [[at(10), { players, licenses }]]);
  const asked = async (question: string, last: number) =>
    (await lab.cells(sqlOfQuestion(question))).flatMap((cells) => cells.slice(-last));
  const bought = await asked('Do the players use what was bought?', 3);
  expect(bought).toEqual([...['2', 7, null], ...['3', 9, null], ...['A', 5, 1]]);
  expect(await asked('How many were used at most, month by month?', 2)).toEqual(['2', 4, '3', 8, 'A', 1]);
});

it('a sum of slots is not known where one of them says no size', async () => {
  const slots = [
    { id: 1, storage_used: 5 },
    { id: 2, size: 10, storage_used: 5 },
  ];
  const backup_storages = [{ id: 1, customer_name: 'S', size: 9000 }];
  const prices = { backup_pricing: [{ code: 'a', price: 2, unit: 'gb' }] };
  const day = { ...prices, backup_storages, backup_slots: { 1: slots } };
  await using lab = await labAfter(viewLab(), [[at(10), day]]);
  const sums = 'select distinct storage_reserved, storage_idle, cost from backup_usage, backup_cost';
  expect(await lab.cells(sums)).toEqual([[null, null, null]]);
});

it('a queue that no run of the day could read is unknown in the list, and not stuck', async () => {
  const days = [9, 10, 11].map((day): LabRun => {
    const queue = day < 11 ? [{ Id: 1, Created: at(8) }] : 'denied';
    return [at(day), { players: [{ Id: 1, Name: 'P' }], pending_file_transfers: { 1: queue } }];
  });
  await using lab = await labAfter(signageViewLab(), days);
  const { tables } = await reportOf(lab.lake, at(11));
  const [row] = tables.find(({ id }) => id === 'transfers')?.rows ?? [];
  expect(row?.slice(0, 3)).toEqual(['P', 'unknown', 1]);
});

it.each([
  ['another waits', [{ Id: 1, Created: at(10) }]],
  ['nobody waits', []],
] as const)('an unread queue of a player without a licence hides no stuck ones: %s', async (_, queue) => {
  const day = {
    players: [1, 2].map((Id) => ({ Id, City: 'Bern', LastAccess: at(10), IsLicensed: Id === 1 })),
    pending_file_transfers: { 1: queue, 2: 'denied' },
  };
  await using lab = await labAfter(signageViewLab({ config: { groups: ['City'] } }), [[at(10), day]]);
  for (const view of ['daily_trend', 'group_trend'])
    expect(await lab.cells(`select players_stuck, players_stuck_unknown from ${view}`)).toEqual([[0, 0]]);
});

it('a total of stuck players passes over a source that lacks a few of its queues, unless none is known to be stuck', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  const stuckAfter = async (day: number, denied: number, created?: string) => {
    await lab.run(at(day), { ...fleet(2, 0, created), twins: fleet(20, denied) });
    return (await reportOf(lab.lake, NOW)).trend.series.players_stuck.at(-1);
  };
  expect(await stuckAfter(20, 0)).toBe(0);
  expect(await stuckAfter(21, 1)).toBeNull();
  expect(await stuckAfter(22, 1, '2026-11-19T01:00:00Z')).toBe(2);
  expect(await stuckAfter(23, 9, '2026-11-19T01:00:00Z')).toBeNull();
});

it('the line of a tile has a gap on a day of other sources, and no fall', async () => {
  const days = [fleet(2), { refused: true }, fleet(2)].map(
    (twins, day): LabRun => [at(21 + day), { ...fleet(2), twins }],
  );
  await using lab = await labAfter(signageViewLab({}, { twins: true }), days);
  const { trend } = await reportOf(lab.lake, NOW);
  const values = trend.series.expected_screens_on;
  expect(values).toEqual([4, 2, 4]);
  const figure = { values, kind: 'number', sources: trend.sources.expected_screens_on } as const;
  expect(ofSameSources(figure)).toEqual([4, null, 4]);
});

it('screens that are on are not compared with a day before which nobody could read those of a source', async () => {
  const players = [1, 2, 3].map((Id) => ({ Id, IsLicensed: Id < 3, LastAccess: SEEN }));
  const days = (['denied', ON] as const).flatMap((told, index): LabRun[] => {
    const twins = { players, screens: { 1: told, 2: told, 3: ON } };
    return [
      [at(21 + index), { ...fleet(2), twins }],
      [`2026-11-${21 + index}T05:00:00Z`, { ...fleet(2), twins: { refused: true } }],
    ];
  });
  await using lab = await labAfter(signageViewLab({}, { twins: true }), days);
  const { series, sources } = (await reportOf(lab.lake, NOW)).trend;
  expect(series.expected_screens_on).toEqual([2, 4]);
  expect(sources.expected_screens_on).toEqual([0, 1]);
});

it.each([
  ['cron(0 3 * * ? *)', '2026-11-21T06:00:00.000Z'],
  ['cron(0 3 ? * MON-FRI *)', '2026-11-23T06:00:00.000Z'],
  ['rate(4 hours)', '2026-11-20T10:00:00.000Z'],
  ['cron(0 3 20 11 ? 2026)', null],
])('a page of a Friday is old when the run after it by %s is over: %s', async (schedule, oldFrom) => {
  await using lab = await labAfter(signageViewLab(), [[at(20), fleet(1)]]);
  const report = await reportOf(lab.lake, '2026-11-20T04:00:00Z', { schedule, timeZone: 'UTC' });
  expect(report.oldFrom).toBe(oldFrom);
});
