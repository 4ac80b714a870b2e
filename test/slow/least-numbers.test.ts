import { expect, it } from 'vitest';
import type { Lake } from '#lib/lake/lake.ts';
import { localFormats } from '#lib/report/page/formats.ts';
import { ofWhole, tileFigures } from '#lib/report/page/tile-figures.ts';
import type { TileName } from '#lib/report/report-data.ts';
import { overviewSheet } from '#lib/report/workbook/overview-sheet.ts';
import { hoursFile } from '../queries/hours-file.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { reportOf } from '../report/report-of.ts';

const LAST = '2026-11-15T03:00:00Z';

/** A figure as the page, the finding and the overview of the workbook tell it. */
async function told(lake: Lake, tile: TileName, finding: string) {
  const data = await reportOf(lake, LAST);
  const formats = localFormats('en-GB', 'UTC');
  const own = tileFigures(data, formats).find(({ name }) => name === tile);
  const found = data.findings.find(({ id }) => id === finding);
  const of = { views: [], counts: new Map(), unknown: new Map() };
  const { data: rows = [] } = overviewSheet({ data, ...of, language: 'en' });
  const shown = rows.flatMap((row) => {
    const [label, figure] = row as readonly { value: unknown; format?: string }[];
    return typeof label?.value === 'string' && [own?.label, found?.what].includes(label.value)
      ? [[figure?.value, figure?.format]]
      : [];
  });
  return {
    tile: own && [own.figure.values.at(-1), own.figure.least, ofWhole(own, formats)],
    finding: found && [found.count, found.isLeast, found.worst],
    shown,
  };
}

const LEAST = '"≥ "#,##0';

it.each([
  ['two screens are dark since the day before', 2, 'of 5 screens (40% – 100%)'],
  ['none is dark', 0, 'of 5 screens (0% – 100%)'],
])('only what was off for sure while its place was open is a finding, where %s', async (_, dark, of) => {
  await using hours = await hoursFile(['*,Mon-Sun,07:00,19:00,UTC']);
  await using lab = await signageViewLab({ config: { hours: hours.path, timeZone: 'UTC' } });
  const ids = [1, 2, 3, 4, 5];
  for (const date of [12, 13, 14, 15]) {
    const runTime = `2026-11-${date}T03:00:00Z`;
    const seen = (id: number) => (date === 15 && id <= dark ? `2026-11-14T1${id + 3}:00:00Z` : runTime);
    // Their timers follow the opening hours: each run sees them off since the evening before.
    const screen = (id: number) => {
      const isDark = seen(id) !== runTime;
      const LastStatusChange = isDark ? '2026-11-14T07:00:00Z' : `2026-11-${date - 1}T19:00:00Z`;
      return { Id: 1, Number: 1, LastUpdate: seen(id), IsOn: isDark, LastStatusChange };
    };
    await lab.run(runTime, {
      players: ids.map((Id) => ({ Id, Name: `P${Id}`, LastAccess: seen(Id) })),
      screens: Object.fromEntries(ids.map((id) => [id, [screen(id)]])),
    });
  }
  const worst = [5, 4].map((value, index) => ({ name: `P${index + 1} · 1`, value }));
  expect(await told(lab.lake, 'hours', 'off-in-hours')).toEqual({
    tile: [null, dark, of],
    finding: dark === 0 ? undefined : [dark, true, worst],
    shown: Array(dark === 0 ? 1 : 2).fill([dark, LEAST]),
  });
});

it('stuck transfers are a least number where a source did not answer, in the tile as in the finding and of each group', async () => {
  await using lab = await signageViewLab({ config: { groups: ['City'], timeZone: 'UTC' } }, { twins: true });
  const runTime = (date: number) => `2026-11-${date}T03:00:00Z`;
  const stuck = [{ Id: 1, FileName: 'f', Created: runTime(10), Transferred: 0 }];
  const day = (date: number) => ({
    players: ['Bern', 'Hof', 'Hof'].map((City, at) => ({ Id: at + 1, City, LastAccess: runTime(date) })),
    pending_file_transfers: { 1: stuck, 2: stuck },
  });
  await lab.run(runTime(14), { ...day(14), twins: day(14) });
  const due = { tile: [4, undefined, 'of 4 waiting for files (100%)'], shown: Array(2).fill([4, '#,##0']) };
  expect(await told(lab.lake, 'transfers', 'stuck-transfers')).toMatchObject(due);
  await lab.run(runTime(15), { refused: true, twins: day(15) });
  expect(await told(lab.lake, 'transfers', 'stuck-transfers')).toMatchObject({
    tile: [null, 2, ''],
    finding: [2, false, [{ value: 120 }, { value: 120 }]],
    shown: [LEAST, '#,##0'].map((format) => [2, format]),
  });
  const { groups } = await reportOf(lab.lake, LAST);
  expect(groups).toMatchObject([{ values: ['Hof', 'Bern'], stuck: [1, 1] }]);
});
