import { expect, it } from 'vitest';
import { collectReport } from '#lib/report/collect-report.ts';
import { localFormats } from '#lib/report/page/formats.ts';
import { verdict } from '#lib/report/page/verdict.ts';
import { writeWorkbook } from '#lib/report/workbook/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type ViewLab, viewLab } from '../queries/view-lab.ts';
import { readWorkbook } from '../report/read-workbook.ts';

const player = (index: number, day: number) => {
  return { Id: index + 1, City: index % 2 === 0 ? 'Ulm' : 'Bonn', LastAccess: `2026-11-${day}T02:00:00Z` };
};
const players = (count: number, day: number) =>
  Array.from({ length: count }, (_, index) => player(index, day));
const day = (date: number, berlin: number, munich: number | 'refused') => ({
  players: players(berlin, date),
  twins: munich === 'refused' ? { refused: true } : { players: players(munich, date) },
});
const at = (date: number) => `2026-11-${date}T03:00:00Z`;
const MUNICH = { source: 'munich', observedAt: at(20) };

/** What the page says, and the cells of the workbook's first sheet, each row from its label on. */
async function saidBy(lab: ViewLab) {
  using tables = await openTables(lab.lake);
  const record = await readRunRecord(lab.lake, tables.head.runId);
  const now = new Date('2026-11-22T04:00:00Z');
  const report = await collectReport(tables, record.config, now);
  const [first] = readWorkbook(await writeWorkbook(tables, record, { now, language: 'en' }));
  const overview = first?.rows.flat().map((cell) => cell?.value) ?? [];
  const rowOf = (label: string, cells = 6) => overview.slice(overview.indexOf(label)).slice(1, cells);
  return { ...report, overview, rowOf };
}

it('R12: a source that a run leaves out is in the figures as of its last day, and the page says so', async () => {
  await using lab = await viewLab({ backup: null, config: { groups: ['City'] } }, { twins: true });
  await lab.run(at(20), day(20, 5, 8));
  await lab.run(at(21), day(21, 6, 8), ['berlin']);
  const { trend, groups, lagging, overview } = await saidBy(lab);
  expect(trend.series.expected_players).toEqual([13, 14]);
  expect(trend.series.expected_players_online).toEqual([13, 14]);
  const ulm = groups[0]?.figures[groups[0].values.indexOf('Ulm')];
  expect(ulm?.expected_players).toEqual([7, 7]);
  expect(lagging).toEqual([MUNICH]);
  expect(overview).toContain('munich: as of 20 Nov 2026, 04:00');
  await lab.run(at(22), day(22, 6, 9));
  const whole = await saidBy(lab);
  expect(whole.trend.series.expected_players).toEqual([13, 14, 15]);
  expect(whole.lagging).toEqual([]);
});

it('a source that never ran is named, and so is one that was never listed', async () => {
  await using lab = await viewLab({ backup: null }, { twins: true });
  const formats = localFormats('en-GB', 'UTC');
  const toldOf = async () => [(await saidBy(lab)).overview[2], verdict(await saidBy(lab), formats)];
  await lab.run(at(20), { players: players(5, 20) }, ['berlin']);
  const never = 'munich: no answer yet';
  expect(await toldOf()).toEqual([never, expect.stringContaining(`; ${never}`)]);
  await lab.run(at(21), day(21, 5, 'refused'));
  expect(await toldOf()).toEqual([never, expect.stringContaining(`; ${never}`)]);
  await lab.run(at(22), day(22, 5, 3));
  const whole = [expect.stringContaining('Newest run'), expect.not.stringContaining('munich')];
  expect(await toldOf()).toEqual(whole);
});

it('R12: a source that does not answer is named with its last time, and no figure is compared without it', async () => {
  await using lab = await viewLab({ backup: null }, { twins: true });
  await lab.run(at(20), day(20, 5, 8));
  await lab.run(at(21), day(21, 6, 'refused'));
  const { lagging, overview, rowOf } = await saidBy(lab);
  expect(lagging).toEqual([MUNICH]);
  expect(overview).toContain('munich: as of 20 Nov 2026, 04:00');
  // One more of berlin came, and of munich nobody knows.
  expect(rowOf('Players online', 7)).toEqual([
    ...['6', 'of 14 expected (42.8% – 100%)', '5', '5', '0'],
    expect.stringContaining('Compared: of 5 known on both days'),
  ]);
  await lab.run(at(22), day(22, 5, 'refused'));
  const online = ['5', 'of 13 expected (38.4% – 100%)', '5', '5', '0'];
  expect((await saidBy(lab)).rowOf('Players online')).toEqual(online);
});

it('R12: a figure that one source says no more is not known, and a part is not compared with the whole', async () => {
  await using lab = await viewLab({ backup: null }, { twins: true });
  const source = { players: players(12, 20), licenses: [{ Type: 'T', TotalCount: 100, AvailableCount: 50 }] };
  const both = (munich: object) => ({ ...source, twins: { ...source, ...munich } });
  await lab.run(at(20), both({}));
  await lab.run(at(21), both({ licenses: 'denied' }));
  const { trend, rowOf } = await saidBy(lab);
  expect(rowOf('Licences left', 2)).toEqual(['Not known']);
  expect(trend.series.licenses_total).toEqual([200, null]);
  await lab.run(at(22), both({ players: players(2, 20) }));
  const later = await saidBy(lab);
  expect(later.rowOf('Licences left', 2)).toEqual(['100']);
  // Of the 12 of munich, whose shorter listing is held, nobody knows.
  expect(later.rowOf('Players online')).toEqual(['0', 'of 24 expected (0% – 50%)', '0', '0', '0']);
});

it('the headline of players that went offline is of all sources, or says that there may be more', async () => {
  await using lab = await viewLab({ backup: null }, { twins: true });
  const silent = (count: number, date: number) =>
    players(5, date).map((player, index) => (index < count ? { ...player, LastAccess: at(19) } : player));
  const both = (berlin: object[], munich: object[]) => ({ players: berlin, twins: { players: munich } });
  const formats = localFormats('en-GB', 'UTC');
  const says = async () =>
    verdict(await saidBy(lab), formats)
      .replaceAll('\u00a0', ' ')
      .split('; ')[1];
  await lab.run(at(20), both(players(5, 20), players(5, 20)));
  await lab.run(at(21), both(silent(1, 21), silent(2, 21)));
  expect(await says()).toBe('3 went offline since 20 Nov');
  // Of a source that does not answer nobody knows what went offline on that day.
  await lab.run(at(22), { players: silent(3, 22), twins: { refused: true } });
  expect(await says()).toBe('at least 2 went offline since 21 Nov');
  await lab.run(at(23), both(silent(3, 23), silent(2, 23)));
  // It had no answer on that day, so nobody knows what went offline since.
  expect(await says()).toBe('data of 23 Nov 2026, 03:00.');
  // A source that is left out is compared with the day before its own last one.
  await lab.run(at(24), { players: silent(4, 24) }, ['berlin']);
  expect(await says()).toBe('at least 1 went offline since 22 Nov');
  await lab.run(at(25), both(silent(4, 25), silent(3, 25)));
  const { news } = await saidBy(lab);
  // Munich had no run on the day before.
  expect(news.since['1']).toEqual({ first: '2026-11-23', last: '2026-11-24' });
});

it('news of a source without a day to compare are not known, and those of the others are a least number', async () => {
  await using lab = await viewLab({ backup: null }, { twins: true });
  const silentSince = (count: number, from: number, date: number) => players(count, Math.min(from, date));
  const told = async () => {
    const { news, findings } = await saidBy(lab);
    const { counts, isLeast } = news.kinds.find(({ kind }) => kind === 'player offline') ?? {};
    const finding = findings.find(({ id }) => id === 'offline-players');
    return { counts, isLeast, finding: [finding?.count, finding?.newCount, finding?.isNewLeast] };
  };
  await lab.run(at(12), { players: players(2, 12) }, ['berlin']);
  await lab.run(at(19), { players: players(2, 19) }, ['berlin']);
  await lab.run(at(20), { players: players(2, 20), twins: { players: silentSince(3, 19, 20) } });
  // Munich may have gone offline at any time.
  const of = <Value>(day: Value, week: Value, month: Value) => ({ '1': day, '7': week, '30': month });
  const [counts, isLeast] = [of(null, null, null), of(true, true, true)];
  expect(await told()).toEqual({ counts, isLeast, finding: [3, null, true] });
  // The fourth player of Munich is silent from its first day on, so it is new in the finding.
  await lab.run(at(21), { players: silentSince(2, 20, 21), twins: { players: silentSince(4, 19, 21) } });
  expect(await told()).toEqual({
    ...{ counts: of<number | null>(2, 2, null), isLeast: of(false, true, true), finding: [6, 3, false] },
  });
});

it('the queues of a group are not known where those of a source were never told', async () => {
  const config = { groups: ['City'], minCoverage: 0 };
  await using lab = await viewLab({ backup: null, config }, { twins: true });
  const own = { players: players(2, 21) };
  const pending_file_transfers = { 1: 'denied', 2: 'denied' } as const;
  await lab.run(at(21), { ...own, twins: { ...own, pending_file_transfers } });
  const { groups } = await saidBy(lab);
  expect(groups[0]?.figures.map((each) => each.players_stuck)).toEqual([[null], [null]]);
});
