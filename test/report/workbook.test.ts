import { afterAll, beforeAll, expect, it } from 'vitest';
import { translator } from '#lib/report/page/words.ts';
import { SHARE_DIGITS } from '#lib/report/workbook/workbook-columns.ts';
import { writeWorkbook } from '#lib/report/workbook/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { flooredShare } from '#lib/text.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { signageViewLab, type ViewLab } from '../queries/view-lab.ts';
import { someOf } from '../support/some-of.ts';
import { ESCAPE, HOSTILE, hostileLake } from './hostile-lake.ts';
import { type ReadSheet, readWorkbook, shownText } from './read-workbook.ts';
import { readZip } from './zip.ts';

/** As XML has it between tags. */
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

let lab: ViewLab;
let english: Buffer;
let german: Buffer;
let views: readonly string[];

beforeAll(async () => {
  lab = await hostileLake();
  using tables = await openTables(lab.lake);
  views = tables.views.map(({ name }) => name);
  const record = await readRunRecord(lab.lake, tables.head.runId);
  const book = (language: 'en' | 'de') =>
    writeWorkbook(tables, record, { now: new Date('2026-11-22T04:00:00Z'), language });
  english = await book('en');
  german = await book('de');
});
afterAll(() => lab[Symbol.asyncDispose]());

it('the workbook has a sheet of figures and a sheet a view, and no formula whatever the names are', () => {
  const entries = readZip(english);
  const names = [...(entries.get('xl/workbook.xml') ?? '').matchAll(/<sheet [^>]*?name="([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect(names.slice(0, 5)).toEqual(['Overview', 'Trends', 'news', 'player_health', 'screen_status']);
  const noSheets = [
    ...['player_groups_daily', 'device_states', 'outages', 'player_outages', 'player_places', 'dates'],
    ...['opening_hours', 'players_history', 'screens_history'],
  ];
  expect(names.slice(2).toSorted()).toEqual(views.filter((name) => !noSheets.includes(name)).toSorted());

  const sheets = [...entries].filter(([name]) => name.startsWith('xl/worksheets/sheet'));
  expect(sheets).toHaveLength(names.length);
  for (const [name, content] of sheets) expect([name, /<f[ >/]/.test(content)]).toEqual([name, false]);

  const texts = entries.get('xl/sharedStrings.xml') ?? '';
  for (const name of HOSTILE.filter((each) => !each.includes('\u0007'))) expect(texts).toContain(xml(name));
  // Excel reads _x0041_ as A, and _x005F_ as the sign before x0041_.
  expect(texts).toContain('plan _x005F_x0041_ of _x005F_xD83D_');
  expect(texts).not.toContain(ESCAPE);
  // What steers or cannot be seen is told.
  expect(texts).toContain('line\\u2028separator &amp; \\u0007bell');
});

it('the workbook is read as a person reads: figures first, names first, filters, percent, sizes and dates as such, nothing cut off and heads in sight', () => {
  const [sheets, germanSheets] = [readWorkbook(english), readWorkbook(german)];
  const sheetOf = (name: string) => {
    const found = sheets.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no sheet ${name}`);
    return found;
  };
  const rowsOf = (name: string) => sheetOf(name).rows.map((row) => row.map((cell) => cell?.value ?? ''));
  const overview = rowsOf('Overview');
  const players = overview.find(([label]) => label === 'Players online');
  expect(players?.slice(0, 3)).toEqual(['Players online', '8', 'of 40 expected (20%)']);
  expect(overview.find(([label]) => label === 'expected players are offline')?.[1]).toBe('28');

  const heads = rowsOf('player_health')[0] ?? [];
  expect(heads.slice(0, 2)).toEqual(['player name', 'city']);
  expect(heads.slice(-3)).toEqual(['is carried', 'export run id', 'exported at']);
  expect(sheetOf('player_health').xml).toMatch(/<\/sheetData><autoFilter ref="A1:[A-Z]+41"\/>/);
  const formats = new Set(sheets.flatMap(({ rows }) => rows.flat().map((cell) => cell?.format)));
  for (const format of ['0.00%', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm', expect.stringContaining(',,," GB"')])
    expect([...formats]).toContainEqual(format);
  const texts = germanSheets.flatMap(({ rows }) => rows.flat().map((cell) => cell?.value)).join('\n');
  for (const text of ['Player online', 'von 40 erwarteten', 'Welche Player sind offline'])
    expect(texts).toContain(text);

  for (const { name, rows, widths, frozen } of someOf([...sheets, ...germanSheets])) {
    // What a sheet is of stays in sight: its title, or the heads and names of its rows.
    const isOverview = name === sheets[0]?.name || name === germanSheets[0]?.name;
    expect([name, frozen]).toEqual([name, { rows: 1, columns: isOverview ? 0 : 1 }]);
    expect([name, rows[0]?.[0]?.isBold]).toEqual([name, true]);
    const cut = rows.flatMap((row) => row.flatMap((_, index) => cutOff(row, index, widths)));
    expect([name, cut]).toEqual([name, []]);
  }
});

it('the workbook has the two figures that a change compares, which are of the same players alone', async () => {
  await using grown = await signageViewLab();
  for (const [day, ids] of [
    ['21', [1]],
    ['22', [1, 2, 3]],
  ] as const) {
    const LastAccess = `2026-11-${day}T02:50:00Z`;
    await grown.run(`2026-11-${day}T03:00:00Z`, { players: ids.map((Id) => ({ Id, LastAccess })) });
  }
  using tables = await openTables(grown.lake);
  const record = await readRunRecord(grown.lake, tables.head.runId);
  const now = new Date('2026-11-22T04:00:00Z');
  const [first] = readWorkbook(await writeWorkbook(tables, record, { now, language: 'en' }));
  const rowOf = (label: string) =>
    first?.rows.find((row) => row[0]?.value === label)?.map((cell) => cell?.value);
  expect(rowOf('Figure')).toEqual([
    ...['Figure', 'Now', 'Of', 'Compared: day before', 'Compared: now', 'Change', 'Note'],
  ]);
  expect(rowOf('Players online')).toEqual([
    ...['Players online', '3', 'of 3 expected (100%)', '1', '1', '0'],
    '0 offline, 0 never seen, 0 not known; Compared: of 1 known on both days',
  ]);
});

it.each([
  [1, 1],
  [0.99999, 0.9999],
  [1 - 1e-13, 1],
  [0.94996, 0.9499],
  [0.29, 0.29],
  [0, 0],
])('a sheet rounds the share %s down to %s, as the page does', (share, shown) => {
  expect(flooredShare(share, SHARE_DIGITS)).toBe(shown);
});

it('the sheets of days have the newest whole days that fit, and say so', async () => {
  await using large = await signageViewLab();
  const day = (date: string, count: number) =>
    large.run(`2026-11-${date}T03:00:00Z`, {
      players: Array.from({ length: count }, (_, index) => ({
        ...{ Id: index + 1, LastAccess: `2026-11-${date}T02:50:00Z` },
      })),
    });
  const bookOf = async () => {
    using tables = await openTables(large.lake);
    const record = await readRunRecord(large.lake, tables.head.runId);
    const book = await writeWorkbook(tables, record, {
      now: new Date('2026-11-22T04:00:00Z'),
      language: 'en',
      rowsOfDays: 20,
    });
    const [first, ...sheets] = readWorkbook(book);
    const days = sheets.find(({ name }) => name === 'player_days')?.rows ?? [];
    const said = first?.rows.filter((row) => row[0]?.value === 'player_days') ?? [];
    return { days, said: said.map((row) => row.slice(1).map((cell) => cell?.value)) };
  };
  const has = (shown: number) =>
    `The sheet has the first ${shown} rows. A query of the view has all of them.`;
  const question = 'Which players were offline on which day, and for how long?';
  for (const date of ['20', '21']) await day(date, 9);
  await day('22', 8);
  const some = await bookOf();
  expect(some.days).toHaveLength(1 + 17);
  expect(some.said).toEqual([
    ['26', question],
    [undefined, has(17)],
  ]);
  await day('23', 21);
  const none = await bookOf();
  expect(none.days.slice(1).map((row) => row.map((cell) => cell?.value))).toEqual([[has(0)]]);
});

it('the workbook has two charts, each of the cells that its words name', () => {
  const leftOut = 'A source that no run called on a day counts as on its last day before.';
  for (const [book, name, online, told] of [
    [english, 'Trends', 'Players by health: Online', leftOut],
    [german, 'Verlauf', 'Player nach Zustand: Online', translator('de')(leftOut)],
  ] as const) {
    const entries = readZip(book);
    const sheets = readWorkbook(book);
    const days = sheets.find((sheet) => sheet.name === name)?.rows ?? [];
    const charts = [...entries].filter(([path]) => path.startsWith('xl/charts/'));
    expect(charts).toHaveLength(2);
    for (const [path] of someOf(charts))
      expect(entries.get('[Content_Types].xml')).toContain(`PartName="/${path}"`);
    const drawing = `drawing${sheets.findIndex((sheet) => sheet.name === name) + 1}.xml`;
    const ids = [...(entries.get(`xl/drawings/${drawing}`) ?? '').matchAll(/<c:chart [^>]*r:id="([^"]+)"/g)];
    const related = entries.get(`xl/drawings/_rels/${drawing}.rels`) ?? '';
    expect(ids.map(([, id]) => related.includes(`Id="${id}"`))).toEqual([true, true]);
    const heads = charts.flatMap(([, xml]) =>
      [...xml.matchAll(/<c:tx><c:strRef><c:f>'([^']+)'!\$([A-Z])\$1</g)].map(([, sheet, letter = '']) => ({
        sheet,
        column: letter.charCodeAt(0) - 65,
        hasDays: xml.includes(`<c:f>'${name}'!$${letter}$2:$${letter}$${days.length}</c:f>`),
      })),
    );
    expect(heads.map(({ sheet, hasDays }) => [sheet, hasDays])).toEqual(Array(8).fill([name, true]));
    const columns = heads.map(({ column }) => [days[0]?.[column]?.value, days.at(-1)?.[column]?.value]);
    expect(columns[4]?.[0]).toBe(online);
    expect(days[0]?.at(-1)?.value).toBe(told);
    // As the overview says.
    expect(columns[4]?.[1]).toBe('8');
  }
});

/** No column is wider. */
const LONG_TEXT = 43;

/** The cell, where a person sees a part of it: a text ends where the next cell begins, a number has room or is `###`. */
function cutOff(row: ReadSheet['rows'][number], index: number, widths: readonly number[]): readonly string[] {
  const cell = row[index];
  if (cell === undefined || cell.isWrapped) return [];
  const text = shownText(cell);
  const isSeen = cell.isText && (row[index + 1] === undefined || text.length > LONG_TEXT);
  return isSeen || text.length < (widths[index] ?? 0) ? [] : [text];
}
