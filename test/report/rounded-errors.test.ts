import { expect, it } from 'vitest';
import { localFormats } from '#lib/report/page/formats.ts';
import { writeWorkbook } from '#lib/report/workbook/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { hoursFile } from '../queries/hours-file.ts';
import { signageViewLab } from '../queries/view-lab.ts';
import { readWorkbook } from './read-workbook.ts';
import { reportOf } from './report-of.ts';

const RUNS = ['2026-11-19T04:00:00Z', '2026-11-20T04:00:00Z', '2026-11-21T04:50:00Z'];
const NOW = '2026-11-21T05:00:00Z';

it('an error is rounded up, on the page and in the workbook: a figure lies within what they tell', async () => {
  await using file = await hoursFile(['*,Mon-Sun,00:00,24:00,UTC']);
  await using lab = await signageViewLab({ config: { timeZone: 'UTC', hours: file.path } });
  for (const at of RUNS) {
    const screen = (Id: number) => ({ Id, IsOn: Id > 1 || at !== RUNS.at(-1), LastUpdate: at });
    await lab.run(at, {
      players: [{ Id: 1, City: 'Bern', LastAccess: at }],
      screens: { 1: Array.from({ length: 40 }, (_, index) => screen(index + 1)) },
    });
  }
  const data = await reportOf(lab.lake, NOW);
  const formats = localFormats('en-GB', 'UTC');
  const shown = (id: string) => {
    const table = data.tables.find((each) => each.id === id);
    const column = table?.columns.findIndex(({ label }) => label.endsWith(' error')) ?? -1;
    const cell = table?.rows[0]?.[column] ?? null;
    return [cell, formats.cell(cell, table?.columns[column]?.kind ?? 'text')];
  };
  expect(shown('places')).toEqual([expect.closeTo(0.00883), '0.9%']);
  expect(shown('hours')).toEqual([expect.closeTo(16.4167, 3), '17 hrs']);

  using tables = await openTables(lab.lake);
  const record = await readRunRecord(lab.lake, tables.head.runId);
  const book = readWorkbook(await writeWorkbook(tables, record, { now: new Date(NOW), language: 'en' }));
  const first = (name: string, head: string) => {
    const [heads, row] = book.find((sheet) => sheet.name === name)?.rows ?? [];
    return row?.[heads?.findIndex((cell) => cell?.value === head) ?? -1]?.value;
  };
  expect(first('availability', 'sampling error')).toBe('0.0089');
  expect(first('availability', 'possible error')).toBe('0.0089');
  expect(first('off_in_hours', 'sampling error hours day')).toBe('16.5');
});

it.each([
  ['shareError', 0, '0%'],
  ['shareError', 0.0001, '0.1%'],
  ['shareError', 0.29, '29%'],
  ['hoursError', 0, '0 mins'],
  ['hoursError', 0.004, '1 min'],
  ['hoursError', 0.999, '60 mins'],
  ['hoursError', 5, '5 hrs'],
  ['hoursError', 49, '3 days'],
] as const)('%s: the page shows %s as %s', (kind, value, shown) => {
  expect(localFormats('en-GB', 'UTC').cell(value, kind)).toBe(shown);
});
