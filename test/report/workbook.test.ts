import { expect, it } from 'vitest';
import { writeWorkbook } from '#lib/report/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { HOSTILE, hostileLake } from './hostile-lake.ts';
import { readZip } from './zip.ts';

/** As XML has it between tags. */
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

it('the workbook has a sheet a view, times in the config’s zone, and no formula whatever the names are', async () => {
  await using lab = await hostileLake();
  using tables = await openTables(lab.lake);
  const entries = readZip(await writeWorkbook(tables, await readRunRecord(lab.lake, tables.head.runId)));
  const names = [...(entries.get('xl/workbook.xml') ?? '').matchAll(/<sheet [^>]*?name="([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect(names).toEqual(['about', ...tables.views.map(({ name }) => name)]);

  const sheets = [...entries].filter(([name]) => name.startsWith('xl/worksheets/sheet'));
  expect(sheets).toHaveLength(names.length);
  for (const [name, content] of sheets) expect([name, /<f[ >/]/.test(content)]).toEqual([name, false]);

  const texts = entries.get('xl/sharedStrings.xml') ?? '';
  for (const name of HOSTILE.filter((each) => !each.includes('\u0007'))) expect(texts).toContain(xml(name));
  // XML has no bell.
  expect(texts).toContain('line\u2028separator &amp; bell');

  // 03:00 UTC is 04:00 in Berlin: a sixth of day 46,348 of Excel's calendar.
  const status = entries.get(`xl/worksheets/sheet${names.indexOf('screen_status') + 1}.xml`) ?? '';
  const days = (Date.parse('2026-11-22T04:00:00Z') - Date.parse('1899-12-30T00:00:00Z')) / 86_400_000;
  const times = [...status.matchAll(/<v>(46348\.\d+)<\/v>/g)].map(([, value]) => Number(value));
  // Every screen was exported then.
  expect(times.filter((time) => Math.abs(time - days) < 1e-6)).toHaveLength(40);
});
