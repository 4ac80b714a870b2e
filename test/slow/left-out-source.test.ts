import { expect, it } from 'vitest';
import { collectReport } from '#lib/report/collect-report.ts';
import { writeWorkbook } from '#lib/report/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type ViewLab, viewLab } from '../queries/view-lab.ts';
import { readWorkbook } from '../report/read-workbook.ts';

const players = (count: number, day: number) =>
  Array.from({ length: count }, (_, index) => ({
    Id: index + 1,
    City: index % 2 === 0 ? 'Ulm' : 'Bonn',
    LastAccess: `2026-11-${day}T02:00:00Z`,
  }));
const day = (date: number, berlin: number, munich: number) => ({
  players: players(berlin, date),
  twins: { players: players(munich, date) },
});

async function reportOf(lab: ViewLab) {
  using tables = await openTables(lab.lake);
  const record = await readRunRecord(lab.lake, tables.head.runId);
  return await collectReport(tables, record.config, new Date('2026-11-22T04:00:00Z'));
}

/** The first sheet of the workbook, a text a cell. */
async function overviewOf(lab: ViewLab) {
  using tables = await openTables(lab.lake);
  const record = await readRunRecord(lab.lake, tables.head.runId);
  const book = await writeWorkbook(tables, record, { now: new Date('2026-11-22T04:00:00Z'), language: 'en' });
  const [first] = await readWorkbook(book);
  return first?.rows.flat().map((cell) => cell?.value);
}

it('R12: a source that a run leaves out is in the figures as of its last day, and the page says so', async () => {
  await using lab = await viewLab({ backup: null, config: { groups: ['City'] } }, { twins: true });
  await lab.run('2026-11-20T03:00:00Z', day(20, 5, 8));
  await lab.run('2026-11-21T03:00:00Z', day(21, 6, 8), ['berlin']);
  const { trend, groups, lagging } = await reportOf(lab);
  expect(trend.dates).toEqual(['2026-11-20', '2026-11-21']);
  expect(trend.series.expected_players).toEqual([13, 14]);
  expect(trend.series.expected_players_online).toEqual([13, 14]);
  const ulm = groups[0]?.figures[groups[0].values.indexOf('Ulm')];
  expect(ulm?.expected_players).toEqual([7, 7]);
  expect(lagging).toEqual([{ source: 'munich', observedAt: '2026-11-20T03:00:00Z' }]);
  expect(await overviewOf(lab)).toContain('munich: as of 20 Nov 2026, 04:00');
  await lab.run('2026-11-22T03:00:00Z', day(22, 6, 9));
  const whole = await reportOf(lab);
  expect(whole.trend.series.expected_players).toEqual([13, 14, 15]);
  expect(whole.lagging).toEqual([]);
});

it('R12: a source that does not answer is named with its last time, and no figure is compared without it', async () => {
  await using lab = await viewLab({ backup: null }, { twins: true });
  await lab.run('2026-11-20T03:00:00Z', day(20, 5, 8));
  await lab.run('2026-11-21T03:00:00Z', { players: players(6, 21), twins: { refused: true } });
  const online = async () => {
    const cells = (await overviewOf(lab)) ?? [];
    return cells.slice(cells.indexOf('Players online'), cells.indexOf('Players online') + 5);
  };
  expect((await reportOf(lab)).lagging).toEqual([{ source: 'munich', observedAt: '2026-11-20T03:00:00Z' }]);
  expect(await overviewOf(lab)).toContain('munich: as of 20 Nov 2026, 04:00');
  expect(await online()).toEqual(['Players online', '6', 'of 14 expected', undefined, undefined]);
  await lab.run('2026-11-22T03:00:00Z', { players: players(5, 22), twins: { refused: true } });
  expect(await online()).toEqual(['Players online', '5', 'of 13 expected', '6', '-1']);
});

it('R12: a figure that one source says no more is not known, and a part is not compared with the whole', async () => {
  await using lab = await viewLab({ backup: null }, { twins: true });
  const licenses = [{ Type: 'T', TotalCount: 100, AvailableCount: 50 }];
  const both = (munich: object) => ({
    players: players(12, 20),
    licenses,
    twins: { players: players(12, 20), licenses, ...munich },
  });
  const tile = async (label: string) => {
    const cells = (await overviewOf(lab)) ?? [];
    return cells.slice(cells.indexOf(label), cells.indexOf(label) + 5);
  };
  await lab.run('2026-11-20T03:00:00Z', both({}));
  await lab.run('2026-11-21T03:00:00Z', both({ licenses: 'denied' }));
  expect((await tile('Licences left')).slice(0, 2)).toEqual(['Licences left', 'Not known']);
  expect((await reportOf(lab)).trend.series.licenses_total).toEqual([200, null]);
  await lab.run('2026-11-22T03:00:00Z', both({ players: players(2, 20) }));
  expect((await tile('Licences left')).slice(0, 2)).toEqual(['Licences left', '100']);
  expect(await tile('Players online')).toEqual([
    'Players online',
    '0',
    'of 24 expected',
    undefined,
    undefined,
  ]);
});
