import type { ReportData, TrendKey } from '#lib/report/report-data.ts';
import type { ReadSheet, SheetCell } from '../report/read-workbook.ts';
import type { Exported } from './exported.ts';
import { findingsOf } from './findings-oracle.ts';
import type { Clocks } from './local-time.ts';
import { sourceDays, wholeOf } from './page-oracle.ts';
import type { Say } from './telling.ts';
import type { Figures, Page } from './truth-lab.ts';
import { DAY_MS } from './world.ts';

const EXCEL_EPOCH = Date.parse('1899-12-30T00:00:00Z');
/** A cell of time is exact to the second. */
const SECOND = 1 / 86_400;
/** A column that counts up to now. */
const UNTIL_NOW = 'hours_since_run';
/** Columns that are days as text. */
const DAYS = ['export_date', 'compared_with'];
/** Rows of a view that its sheet has; the others are in the view alone. */
const KEPT: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => boolean>> = {
  availability: ({ level, period }) => period === 'month' && level !== 'screen' && level !== 'player',
};

/** What of the workbook is neither true nor said to be unknown. */
export function bookFaults(
  exported: Exported,
  { clocks }: Figures,
  { sheets: [overview, ...others], answers, data }: Page,
): readonly string[] {
  const faults: string[] = [];
  const say: Say = (text) => faults.push(`workbook: ${text}`);
  const sheets = others.filter(({ name }) => name !== 'Trends');
  const trends = others.find(({ name }) => name === 'Trends');
  if (trends !== undefined) checkTrends(trends, data, say);
  for (const sheet of sheets) checkSheet(sheet, { answers, clocks }, (text) => say(`${sheet.name}: ${text}`));
  if (overview !== undefined) checkOverview(overview, { exported, clocks, data }, say);
  return faults;
}

/** Each row of the view is on the sheet, and each cell says what the view says, times by the clocks of the zone. */
function checkSheet(
  { name, rows: [head = [], ...rows] }: ReadSheet,
  { answers, clocks }: { readonly answers: Page['answers']; readonly clocks: Clocks },
  say: Say,
): void {
  const answer = answers.get(name);
  // A sheet has one day, as a date.
  const all = answer?.columns ?? [];
  const columns = all.filter((column) => column !== 'date' || !all.includes('export_date'));
  const told = (answer?.rows ?? [])
    .map((row) => Object.fromEntries(columns.map((column) => [column, row[all.indexOf(column)]])))
    .filter(KEPT[name] ?? (() => true));
  const heads = head.map(
    (cell) => columns.find((column) => column.replaceAll('_', ' ') === cell?.value) ?? '',
  );
  if (heads.toSorted().join() !== columns.toSorted().join()) say(`it has the columns ${heads.join()}`);
  const types = new Map(all.map((column, index) => [column, answer?.types[index] ?? '']));
  const shares = new Set(heads.filter((_, index) => rows.some((row) => row[index]?.format?.endsWith('%'))));
  const wanted = told.map((row) =>
    heads
      .map((column) => {
        const cell = row[column];
        const shown = typeof cell === 'number' ? asRounded(cell, column, shares.has(column)) : cell;
        return shownOf(shown, { clocks, type: types.get(column) ?? '', column });
      })
      .join('|'),
  );
  // A sheet without rows may have sentences on what is not known.
  const records = told.length === 0 ? [] : rows;
  const found = records.map((row) =>
    heads.map((column, index) => (column === UNTIL_NOW ? '' : toldOf(row[index]))).join('|'),
  );
  const [missing, extra] = [lacking(found, wanted), lacking(wanted, found)];
  if (missing.length > 0 || extra.length > 0)
    say(
      `${missing.length} of ${wanted.length} rows are missing, such as ${missing.toSorted()[0]}; ${extra.toSorted()[0]} is there`,
    );
}

/** A share never shows as more than it is, and an error never as less. */
function asRounded(value: number, column: string, isShare: boolean): number {
  if (/(sampling|possible)_error/.test(column)) {
    const parts = isShare ? 10_000 : 10;
    return Math.ceil(value * parts - 1e-9) / parts;
  }
  return isShare ? roundedDown(value, 4) : value;
}

/** The tiny addend makes up for sums of hours, which are rounded. */
const roundedDown = (share: number, digits: number) => Math.floor(share * 10 ** digits + 1e-9) / 10 ** digits;

/** The heads of the sheet of days, with what the page calls these figures. */
const OF_DAYS = new Map<string, TrendKey>([
  ['Screens by state: On', 'expected_screens_on'],
  ['Screens by state: Off', 'expected_screens_off'],
  ['Screens by state: Stale', 'expected_screens_stale'],
  ['Screens by state: Unknown', 'expected_screens_unknown'],
  ['Players by health: Online', 'expected_players_online'],
  ['Players by health: Offline', 'expected_players_offline'],
  ['Players by health: Never seen', 'expected_players_never_seen'],
  ['Players by health: Unknown', 'expected_players_unknown'],
]);

/** Each day of the page has a row with its figures. */
function checkTrends({ rows: [heads = [], ...rows] }: ReadSheet, { trend }: ReportData, say: Say): void {
  // A sentence stands right of the figures, above the charts.
  const head = heads.slice(0, -2);
  const sentence = 'A source that no run called on a day counts as on its last day before.';
  if (heads.at(-1)?.value !== sentence) say(`Trends says ${heads.at(-1)?.value}`);
  const wanted = trend.dates.map((date, day) => {
    const figures = head.slice(1).map((cell) => {
      const key = OF_DAYS.get(cell?.value ?? '');
      const figure = key === undefined ? 'no such figure' : (trend.series[key][day] ?? '');
      return typeof figure === 'number' ? digits(figure) : figure;
    });
    return [serial(Date.parse(`${date}T00:00:00Z`)), ...figures].join('|');
  });
  const found = rows.map((row) => head.map((_, index) => toldOf(row[index])).join('|'));
  if (found.join('\n') !== wanted.join('\n')) say(`Trends has ${found.join(' ')}, not ${wanted.join(' ')}`);
}

/** What of the second is not in the first, each as often as it is there. */
function lacking(some: readonly string[], all: readonly string[]): readonly string[] {
  const left = [...some];
  return all.filter((text) => {
    const place = left.indexOf(text);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

interface OfCell {
  readonly clocks: Clocks;
  readonly type: string;
  readonly column: string;
}

/** A cell of a view as the sheet must show it. */
function shownOf(cell: unknown, { clocks, type, column }: OfCell): string {
  if (cell === null || cell === undefined || column === UNTIL_NOW) return '';
  if (type.startsWith('TIMESTAMP'))
    // A clock shows whole seconds.
    return serial(clocks.shownAt(Math.floor(Date.parse(String(cell)) / 1000) * 1000));
  if (type === 'DATE' || DAYS.includes(column)) return serial(Date.parse(`${cell}T00:00:00Z`));
  if (typeof cell === 'boolean') return digits(Number(cell));
  return typeof cell === 'number' ? digits(cell) : String(cell);
}

const serial = (at: number) => digits(Math.round((at - EXCEL_EPOCH) / DAY_MS / SECOND) * SECOND);
const digits = (value: number) => value.toPrecision(11);

function toldOf(cell: SheetCell | undefined): string {
  if (cell === undefined) return '';
  if (cell.isText) return cell.value;
  const value = Number(cell.value);
  return digits(cell.format?.startsWith('yyyy') ? Math.round(value / SECOND) * SECOND : value);
}

interface OfOverview {
  readonly exported: Exported;
  readonly clocks: Clocks;
  readonly data: Page['data'];
}

/** The main figures by their label, and of which ones they are a part. */
const TILES = [
  ['Players online', 'expected_players_online', 'expected_players'],
  ['Screens on', 'expected_screens_on', 'expected_screens'],
  ['Players with stuck transfers', 'players_stuck', 'players_waiting'],
] as const;

/** The overview has the true figure of the newest day, the true change, and what needs attention. */
function checkOverview({ rows }: ReadSheet, { exported, clocks, data }: OfOverview, say: Say): void {
  const sources = sourceDays(exported, clocks);
  const [date, before] = [data.trend.dates.at(-1) ?? '', data.trend.dates.at(-2) ?? ''];
  const rowOf = (label: string) => rows.find((row) => row[0]?.value === label);
  const called = new Set(sources.flat().map((day) => day.date));
  const figures: readonly (readonly [string, (on: string) => number | null])[] = [
    ...TILES.map(([label, figure]) => [label, (on: string) => wholeOf(sources, on, figure).is] as const),
    ['Licences left', (on) => both(sources, on, ['licenses_total', 'licenses_used'], (a, b) => a - b)],
    ['Backup used', (on) => both(sources, on, ['backup_used', 'backup_slots_size'], (a, b) => a / b)],
  ];
  const slotsSize = wholeOf(sources, date, 'backup_slots_size').is;
  const least =
    slotsSize === null || slotsSize === 0 || data.slots.used === 0 ? null : data.slots.used / slotsSize;
  const leasts = new Map([
    ['Backup used', least],
    ['Players with stuck transfers', findingsOf(exported, clocks).get('stuck-transfers')?.length],
  ]);
  for (const [label, of] of figures) {
    const row = rowOf(label);
    const [now, then, since, change] = [1, 3, 4, 5].map((place) => numberIn(row?.[place]));
    const truth = of(date) ?? leasts.get(label) ?? null;
    const shown = (value: number) => (label === 'Backup used' ? roundedDown(value, 3) : value);
    const equal = (a: number | undefined, b: number | null) =>
      a === undefined || (b !== null && Math.abs(a - b) < 1e-6);
    const near = (a: number | undefined, b: number | null) => equal(a, b === null ? null : shown(b));
    if (!near(now, truth)) say(`${label} is ${now}, and ${truth} in truth`);
    if (now === undefined) continue;
    // The change of players and screens is that of those known on both days, which the page has.
    const alike = { 'Players online': data.compared?.players, 'Screens on': data.compared?.screens }[label];
    const past = alike?.before ?? (called.has(before) ? of(before) : null);
    if (!near(then, past)) say(`${label} was ${then} the day before, and ${past} in truth`);
    const compared = then === undefined ? null : (alike?.now ?? truth);
    if (!near(since, compared)) say(`${label} is compared as ${since}, and is ${compared}`);
    if (!equal(change, past === null || compared === null ? null : compared - past))
      say(`${label} has changed by ${change}`);
  }
  for (const { id, what, count } of data.findings) {
    const told = rows.find((row) => row[0]?.value === what)?.[1]?.value;
    const truth = findingsOf(exported, clocks).get(id)?.length ?? count;
    if (Number(told) !== truth) say(`the overview counts ${told} of ${id}, and ${truth} are true`);
  }
}

function both(
  sources: ReturnType<typeof sourceDays>,
  date: string,
  [first, second]: readonly [string, string],
  make: (a: number, b: number) => number,
): number | null {
  const [a, b] = [wholeOf(sources, date, first).is, wholeOf(sources, date, second).is];
  return a === null || b === null ? null : make(a, b);
}

const numberIn = (cell: SheetCell | undefined) =>
  cell === undefined || cell.isText ? undefined : Number(cell.value);
