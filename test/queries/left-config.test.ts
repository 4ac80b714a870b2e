import { describe, expect, it } from 'vitest';
import { reportOf } from '../report/report-of.ts';
import { sqlOfQuestion } from '../support/sql-of-questions.ts';
import { type Day, labAfter, signageViewLab, type ViewLab } from './view-lab.ts';

const at = (day: number) => `2026-11-${day}T03:00:00Z`;
/** A player that is seen, and one whose screen never reported; a file waits for days. */
const said = (day: number): Day => {
  const waiting = { Id: 1, FileName: 'a.mp4', FileSize: 9, Created: at(10) };
  return {
    players: [
      { Id: 1, LastAccess: at(day) },
      { Id: 2, LastAccess: at(day) },
      ...(day < 22 ? [] : [{ Id: 3, LastAccess: at(day) }]),
    ],
    screens: {
      1: [{ Id: 11, IsOn: true, LastUpdate: at(day) }],
      2: [{ Id: 12, IsOn: true, LastUpdate: '0001-01-01T00:00:00Z' }],
    },
    pending_file_transfers: { 1: [waiting] },
  };
};
const PAST = [
  `select export_date, screens_on, screens_unknown, players_stuck from daily_trend where export_source = 'munich' order by 1`,
  `select "key", round(known_hours), round(unknown_hours) from availability
    where export_source = 'munich' and period = 'month' order by 1`,
  `select count(*), count(question) from schema_columns where export_source = 'munich'`,
];
const CURRENT = [
  'select export_source from stuck_transfers where is_stuck order by 1',
  'select export_source from export_health order by 1',
  "select distinct export_source from news where news = 'player added' order by 1",
  'select distinct export_source from data_quality order by 1',
];

describe('a source that has left the config', () => {
  const cells = async (lab: ViewLab, queries: readonly string[]) =>
    await Promise.all(queries.map((query) => lab.cells(query)));

  it('keeps what is known of its past days, and is in no list of what is the case now', async () => {
    const both = (day: number) => ({ ...said(day), twins: said(day) });
    const runs = [20, 21, 22].map((day) => [at(day), both(day)] as const);
    await using lab = await labAfter(signageViewLab({}, { twins: true }), runs);
    const [trend, hours, columns] = await cells(lab, PAST);
    expect(trend).toEqual([20, 21, 22].map((day) => [`2026-11-${day}`, 1, 1, 1]));
    expect(hours).toContainEqual(['munich/2/12', 0, 48]);
    expect(await cells(lab, CURRENT)).toEqual(Array(4).fill([['berlin'], ['munich']]));
    for (const day of [23, 24]) await lab.run(at(day), { ...said(day), without: ['munich'] });
    expect(await cells(lab, PAST)).toEqual([trend, hours, columns]);
    expect(await cells(lab, CURRENT)).toEqual([[['berlin']], [['berlin']], [], [['berlin']]]);
    const { sources, comparison } = await reportOf(lab.lake, at(24));
    expect(sources.map(({ source }) => source)).toEqual(['berlin']);
    expect(comparison.rows.map(([source]) => source)).toEqual(['berlin']);
    expect(await lab.cells(sqlOfQuestion('How many players came and went, month by month?'))).toEqual([
      ['2026-11', 'berlin', 1, 0],
      ['2026-11', 'munich', 1, 3],
    ]);
  });

  it.each([22, 23])(
    'keeps the hours of the day before, where it left in a second run and is back on day %i',
    async (back) => {
      const both = (day: number) => ({ ...said(day), twins: said(day) });
      await using lab = await labAfter(
        signageViewLab({}, { twins: true }),
        [20, 21].map((day) => [at(day), both(day)] as const),
      );
      const hours = `select device_key, known_hours, unknown_hours from device_days
      where export_source = 'munich' and export_date = '2026-11-20' order by level, device_key`;
      const before = await lab.cells(hours);
      expect(before).toHaveLength(4);
      await lab.run('2026-11-21T11:00:00Z', { ...said(21), without: ['munich'] });
      expect(await lab.cells(hours)).toEqual(before);
      await lab.run(at(back), both(back));
      expect(await lab.cells(hours)).toEqual(before);
    },
  );
});
