import writeXlsxFile, { type Row, type Sheet } from 'write-excel-file/node';
import type { RunRecord } from '../../run/run-record.ts';
import { withIdleTargets } from '../../views/idle-targets.ts';
import type { LakeView } from '../../views/lake-views.ts';
import { notKnown } from '../../views/not-known.ts';
import type { QueryResult, Tables } from '../../views/open-tables.ts';
import { type Sentence, told } from '../../views/sentence.ts';
import { collectReport } from '../collect-report.ts';
import { type Translate, translator } from '../page/words.ts';
import type { Language } from '../report-data.ts';
import { overviewSheet } from './overview-sheet.ts';
import { trendsSheet } from './trends-sheet.ts';
import { cellText, HEAD, type WorkbookColumn, workbookColumns } from './workbook-columns.ts';

/** A sheet of Excel ends at 1,048,576 rows; a person can filter fewer. */
const ROWS_A_SHEET = 100_000;
/** The most characters in a cell of Excel. */
const CHARACTERS_A_CELL = 32_767;
/** A row for each day of each device would fill the workbook: the newest whole days that fit into so many rows. */
const ROWS_OF_DAYS = 20_000;

/** The sheets in the order for a person; others follow them. */
const ORDER: readonly string[] = [
  'news',
  'player_health',
  'screen_status',
  'off_in_hours',
  'stuck_transfers',
  'license_utilisation',
  'backup_usage',
  'backup_cost',
  'daily_trend',
  'group_trend',
  'screen_uptime',
  'availability',
  'screen_outages',
  'player_groups',
  'export_health',
  'data_quality',
  'player_days',
  'screen_days',
  'device_days',
  'transfer_days',
];

/** Other views are made of these, or they are for joins in SQL. */
const NO_SHEETS: readonly string[] = [
  'player_groups_daily',
  'device_states',
  'outages',
  'player_outages',
  'player_places',
  'players_history',
  'screens_history',
  'dates',
  'opening_hours',
];

/** The rows of a view that a sheet has; the others are too many. */
const ONLY: Readonly<Record<string, string>> = {
  availability: "level in ('place', 'group', 'source') and period = 'month'",
};

export interface WorkbookOptions {
  readonly now: Date;
  readonly language: Language;
  /** The most rows of a sheet of days, of which each is whole. */
  readonly rowsOfDays?: number;
}

/**
 * The views as sheets of a workbook. The first sheet has the main
 * figures and describes the others. Times are in the config's zone, because Excel knows no zones. Every text
 * is a text cell: one that begins with = + - or @ is not a formula. Characters that are invisible or reverse
 * text become escapes, as on a terminal.
 */
export async function writeWorkbook(
  tables: Tables,
  record: RunRecord,
  { now, language, rowsOfDays = ROWS_OF_DAYS }: WorkbookOptions,
): Promise<Buffer> {
  const { timeZone } = record.config;
  const t = translator(language);
  const sheets: Sheet<Buffer>[] = [];
  const filters = new Map<string, string>();
  const counts = new Map<string, number>();
  const unknown = new Map(await withIdleTargets(tables, await notKnown(tables)));
  const views = inOrder(tables.views);
  await tables.keep(views.map(({ name }) => name));
  for (const { name, tells, order } of views) {
    const answer = await tables.query(
      `select * from ${fromOf(name, rowsOfDays)} order by ${order} limit ${ROWS_A_SHEET}`,
    );
    const shown = answer.rows.length;
    const all = await countOf(tables, name, shown);
    counts.set(name, all);
    if (shown < all) unknown.set(name, [...(unknown.get(name) ?? []), cutAt(shown)]);
    sheets.push(sheetOf(name, answer, { tells, timeZone, t, notKnown: unknown.get(name) ?? [] }));
    if (answer.rows.length > 0)
      filters.set(name, `A1:${letters(answer.columns.length)}${answer.rows.length + 1}`);
  }
  const data = await collectReport(tables, record.config, now, { language });
  const first = overviewSheet({ data, views, counts, unknown, language });
  const trends = trendsSheet(data, t);
  const all = [first, ...(trends === undefined ? [] : [trends.sheet]), ...sheets];
  const features = [withFilters(filters), ...(trends === undefined ? [] : [trends.charts])];
  const answer = writeXlsxFile(all.map(withOwnTexts), { features });
  return await answer.toBuffer();
}

/** What a sheet says that lacks rows. */
const cutAt = (shown: number): Sentence => ({
  text: 'The sheet has the first {shown} rows. A query of the view has all of them.',
  values: { shown },
});

/** The rows that a sheet may have. */
function fromOf(view: string, rowsOfDays: number): string {
  if (ONLY[view] !== undefined) return `${view} where ${ONLY[view]}`;
  if (!view.endsWith('_days')) return view;
  return `${view} where export_date >= (
    select min(export_date)
    from (select export_date, sum(count(*)) over (order by export_date desc) as so_far from ${view} group by export_date)
    where so_far <= ${rowsOfDays})`;
}

/** The number of rows that a sheet would have, with so many of them on it. */
async function countOf(tables: Tables, view: string, shown: number): Promise<number> {
  if (shown < ROWS_A_SHEET && !view.endsWith('_days')) return shown;
  const { rows } = await tables.query(`select count(*) from ${fromOf(view, Number.MAX_SAFE_INTEGER)}`);
  return Number(rows[0]?.[0]);
}

/** Excel reads `_x0041_` in a text as A, so the sign before the x becomes such an escape itself. */
function withOwnTexts(sheet: Sheet<Buffer>): Sheet<Buffer> {
  const own = (cell: Row[number]): Row[number] =>
    typeof cell === 'object' && cell !== null && 'value' in cell && typeof cell.value === 'string'
      ? { ...cell, value: cell.value.replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_') }
      : cell;
  return { ...sheet, data: sheet.data.map((row) => row.map(own)) };
}

function inOrder(views: readonly LakeView[]): readonly LakeView[] {
  const rank = ({ name }: LakeView) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return views.filter(({ name }) => !NO_SHEETS.includes(name)).toSorted((a, b) => rank(a) - rank(b));
}

/** Excel's own buttons that filter and sort, on the heads of each sheet. */
function withFilters(filters: ReadonlyMap<string, string>) {
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (content: string, { sheet = '' }: { readonly sheet?: string }) => {
            const cells = filters.get(sheet);
            if (cells === undefined) return content;
            return content.replace('</sheetData>', `</sheetData><autoFilter ref="${cells}"/>`);
          },
        },
      },
    },
  };
}

/** The letters of a column, from 1: A, Z, AA. */
function letters(column: number): string {
  const last = String.fromCharCode(65 + ((column - 1) % 26));
  return column <= 26 ? last : `${letters(Math.floor((column - 1) / 26))}${last}`;
}

interface SheetOptions {
  readonly tells: readonly string[];
  readonly timeZone: string;
  readonly t: Translate;
  readonly notKnown: readonly Sentence[];
}

function sheetOf(
  name: string,
  answer: QueryResult,
  { tells, timeZone, t, notKnown }: SheetOptions,
): Sheet<Buffer> {
  const columns = workbookColumns(answer, tells);
  const local = wallClock(timeZone);
  const rows = answer.rows.map((row) => columns.map((column) => cellOf(row[column.index], column, local)));
  // An empty sheet would deny that there are any.
  const notes = answer.rows.length === 0 ? notKnown.map((sentence) => note(sentence, t)) : [];
  return {
    sheet: name,
    data: [columns.map(({ head }) => ({ value: head, type: String, ...HEAD })), ...rows, ...notes],
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
    stickyColumnsCount: 1,
    orientation: 'landscape',
  };
}

/** A row that is a sentence and not a record. */
const note = (sentence: Sentence, t: Translate): Row => [
  { value: told(sentence, (text) => t(text)), type: String, fontStyle: 'italic' },
];

function cellOf(
  cell: unknown,
  { format, round = (value) => value, isTime, isDay }: WorkbookColumn,
  local: (iso: string) => Date,
): Row[number] {
  if (cell === null || cell === undefined) return null;
  const formatted = format === undefined ? {} : { format };
  if (typeof cell === 'number') return { value: round(cell), type: Number, ...formatted };
  if (typeof cell === 'boolean') return { value: cell, type: Boolean };
  if (typeof cell === 'string' && (isTime || isDay))
    return { value: isTime ? local(cell) : new Date(cell), type: Date, ...formatted };
  return { value: cellText(cell).slice(0, CHARACTERS_A_CELL), type: String };
}

/** The instant by the clocks of the zone, in the UTC fields that the library writes. */
function wallClock(timeZone: string): (iso: string) => Date {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (iso) => new Date(`${format.format(new Date(iso)).replace(' ', 'T')}Z`);
}
