import { expect, it } from 'vitest';
import { writeWorkbook } from '#lib/report/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { HOSTILE, hostileLake } from './hostile-lake.ts';
import { readZip } from './zip.ts';

/** As XML has it between tags. */
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

it('the workbook has a sheet of figures and a sheet a view, times in the config’s zone, and no formula whatever the names are', async () => {
  await using lab = await hostileLake();
  using tables = await openTables(lab.lake);
  const entries = readZip(
    await writeWorkbook(tables, await readRunRecord(lab.lake, tables.head.runId), {
      now: new Date('2026-11-22T04:00:00Z'),
      language: 'en',
    }),
  );
  const names = [...(entries.get('xl/workbook.xml') ?? '').matchAll(/<sheet [^>]*?name="([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect(names.slice(0, 5)).toEqual(['Overview', 'news', 'player_health', 'screen_status', 'off_in_hours']);
  expect(names.slice(1).toSorted()).toEqual(tables.views.map(({ name }) => name).toSorted());

  const sheets = [...entries].filter(([name]) => name.startsWith('xl/worksheets/sheet'));
  expect(sheets).toHaveLength(names.length);
  for (const [name, content] of sheets) expect([name, /<f[ >/]/.test(content)]).toEqual([name, false]);

  const texts = entries.get('xl/sharedStrings.xml') ?? '';
  for (const name of HOSTILE.filter((each) => !each.includes('\u0007'))) expect(texts).toContain(xml(name));
  // What steers or cannot be seen is told.
  expect(texts).toContain('line\\u2028separator &amp; \\u0007bell');

  // 03:00 UTC is 04:00 in Berlin: a sixth of day 46,348 of Excel's calendar.
  const status = entries.get(`xl/worksheets/sheet${names.indexOf('screen_status') + 1}.xml`) ?? '';
  const days = (Date.parse('2026-11-22T04:00:00Z') - Date.parse('1899-12-30T00:00:00Z')) / 86_400_000;
  const times = [...status.matchAll(/<v>(46348\.\d+)<\/v>/g)].map(([, value]) => Number(value));
  // Every screen was exported then.
  expect(times.filter((time) => Math.abs(time - days) < 1e-6)).toHaveLength(40);
});

it('the workbook is read as a person reads: figures first, names first, filters, percent, sizes and dates as such', async () => {
  await using lab = await hostileLake();
  using tables = await openTables(lab.lake);
  const record = await readRunRecord(lab.lake, tables.head.runId);
  const book = async (language: 'en' | 'de') =>
    readZip(await writeWorkbook(tables, record, { now: new Date('2026-11-22T04:00:00Z'), language }));
  const entries = await book('en');
  const shared = [
    ...(entries.get('xl/sharedStrings.xml') ?? '').matchAll(/<si><t[^>]*>([^<]*)<\/t><\/si>/g),
  ].map(([, text = '']) => text);
  const names = [...(entries.get('xl/workbook.xml') ?? '').matchAll(/<sheet [^>]*?name="([^"]+)"/g)].map(
    ([, name]) => name,
  );
  const sheet = (name: string) => entries.get(`xl/worksheets/sheet${names.indexOf(name) + 1}.xml`) ?? '';
  const rowsOf = (name: string) =>
    [...sheet(name).matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<c ([^>]*?)(?:\/>|>(?:<v>([^<]*)<\/v>)?.*?<\/c>)/gs)].map(
        ([, attributes = '', value = '']) =>
          /t="s"/.test(attributes) ? (shared[Number(value)] ?? '') : value,
      ),
    );
  const overview = rowsOf('Overview');
  const players = overview.find(([label]) => label === 'Players online');
  expect(players?.slice(0, 3)).toEqual(['Players online', '8', 'of 40 expected']);
  expect(overview.find(([label]) => label === 'expected players are offline')?.[1]).toBe('28');
  // The page, the view and the sheet have one number.
  expect(
    await lab.rows("select count(*) as n from player_health where is_expected and health = 'online'"),
  ).toEqual([{ n: 8 }]);

  const heads = rowsOf('player_health')[0] ?? [];
  expect(heads.slice(0, 2)).toEqual(['player name', 'city']);
  expect(heads.slice(-3)).toEqual(['is carried', 'export run id', 'exported at']);
  expect(sheet('player_health')).toMatch(/<\/sheetData><autoFilter ref="A1:[A-Z]+41"\/>/);
  const styles = entries.get('xl/styles.xml') ?? '';
  for (const format of ['0.0%', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm', ',,, &quot; GB&quot;'.replace(' ', '')])
    expect([format, styles.includes(`formatCode="${format}"`) || styles.includes(format)]).toEqual([
      format,
      true,
    ]);
  // A day is a date of Excel's: 22 November 2026.
  expect(rowsOf('daily_trend').at(1)).toContain('46348');
  const german = (await book('de')).get('xl/sharedStrings.xml') ?? '';
  for (const text of ['Player online', 'von 40 erwarteten', 'Welche Player sind offline'])
    expect(german).toContain(text);
});
