import { collectReport } from '#lib/report/collect-report.ts';
import { FINDINGS } from '#lib/report/findings.ts';
import { localFormats } from '#lib/report/page/formats.ts';
import { tileFigures } from '#lib/report/page/tile-figures.ts';
import { translator } from '#lib/report/page/words.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { RESOURCE_NAMES, type ResourceName } from '#lib/sources/resources.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables, type Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import type { ViewLab } from '../queries/view-lab.ts';

export const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;

interface Figures {
  readonly rows: number;
  /** The sums of numbers, and of how many rows are true, by column; null where no row says any. */
  readonly sums: Readonly<Record<string, number | null>>;
}

/** Of a run, or counts and bounds of what is not known. */
const NO_FIGURE =
  /^(export_|runs?$|denied|failed|retries|requests|duration|new_columns|misfits|questions|provisional|records$|.*unknown|.*sampling_error|coverage|is_carried|hours_since)/;

async function figuresOf(tables: Tables, view: string): Promise<Figures> {
  const { columns, rows: cells } = await tables.query(`select * from ${view}`);
  const rows = cells.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
  const last = rows.filter((row) => row['export_date'] === DAYS[1].slice(0, 10));
  const ofLast = Object.entries(sumsOf(last)).map(([name, sum]) => [`${name} of the last day`, sum] as const);
  return { rows: rows.length, sums: { ...sumsOf(rows), ...Object.fromEntries(ofLast) } };
}

function sumsOf(rows: readonly Readonly<Record<string, unknown>>[]): Figures['sums'] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !NO_FIGURE.test(name));
  const sums = names.flatMap((name) => {
    const cells = rows.map((row) => row[name]).filter((cell) => cell !== null);
    const isFigure = cells.every((cell) => ['number', 'bigint', 'boolean'].includes(typeof cell));
    const sum = cells.reduce<number>((all, cell) => all + Number(cell), 0);
    return isFigure ? [[name, cells.length === 0 ? null : sum] as const] : [];
  });
  return Object.fromEntries(sums);
}

/** The tables, with the rows of all views at hand: most views read others. */
export async function openedTables(lab: ViewLab): Promise<Tables> {
  const tables = await openTables(lab.lake);
  await tables.keep(tables.views.map(({ name }) => name));
  return tables;
}

export async function allFigures(tables: Tables): Promise<ReadonlyMap<string, Figures>> {
  const figures = new Map<string, Figures>();
  for (const { name } of await readViews(QUERIES)) figures.set(name, await figuresOf(tables, name));
  return figures;
}

/** Findings of what the newest run was answered. */
const OF_THE_RUN = new Set(['incomplete-sources', 'data-quality']);
const FORMATS = localFormats('en-GB', 'UTC', translator('en'));

/** What the page says in its tiles and of news, without its HTML. */
export async function figuresOfPage(lab: ViewLab, tables: Tables): Promise<Whole['page']> {
  const { config } = await readRunRecord(lab.lake, tables.head.runId);
  const data = await collectReport(tables, config, new Date(DAYS[1]));
  return Object.fromEntries([
    ...tileFigures(data, FORMATS).map(({ name, figure }) => [`tile ${name}`, figure.values.at(-1) ?? null]),
    ...data.news.kinds.map(({ kind, counts }) => [`news ${kind}`, counts['1']]),
    ...data.findings.filter(({ id }) => !OF_THE_RUN.has(id)).map(({ id, count }) => [`finding ${id}`, count]),
  ]);
}

/** How many hours are known may be 0: that is said of what is known, and of no player and screen. */
const OF_WHAT_IS_KNOWN = /(known|judged)_hours\b/;

export interface Whole {
  readonly views: ReadonlyMap<string, Figures>;
  readonly page: Readonly<Record<string, number | null>>;
}

/** The views whose SQL names one of the tables, or a view that does. */
async function viewsOf(tables: readonly ResourceName[]): Promise<ReadonlySet<string>> {
  const views = await readViews(QUERIES);
  const names = new Set<string>(tables.flatMap((table) => [table, `${table}_daily`]));
  for (let before = 0; names.size > before; ) {
    before = names.size;
    for (const { name, sql } of views)
      if (sql.match(/\w+/g)?.some((word) => names.has(word))) names.add(name);
  }
  return names;
}

/** What views, tiles and findings say as none although nobody knows. */
export async function wrongIn(
  lab: ViewLab,
  whole: Whole,
  tables: readonly ResourceName[] = RESOURCE_NAMES,
): Promise<readonly string[]> {
  const asked = await viewsOf(tables);
  using opened = await openedTables(lab);
  const said = await notKnown(opened);
  const wrong: string[] = [];
  const page = await figuresOfPage(lab, opened);
  for (const [name, figure] of Object.entries(whole.page))
    if (figure !== null && figure !== 0 && page[name] === 0) wrong.push(`${name} is 0 and was ${figure}`);
  // A finding without rows is not on the page, so its view must say that they are not known.
  for (const { id, view } of FINDINGS)
    if (asked.has(view) && whole.page[`finding ${id}`] && !page[`finding ${id}`] && !said.has(view))
      wrong.push(`finding ${id} is not on the page, and ${view} says nothing`);
  for (const [view, { rows, sums }] of whole.views) {
    if (!asked.has(view)) continue;
    const now = await figuresOf(opened, view);
    if (rows > 0 && now.rows === 0 && !said.has(view)) wrong.push(`${view} has no rows and says nothing`);
    for (const [name, sum] of Object.entries(sums).filter(([each]) => !OF_WHAT_IS_KNOWN.test(each)))
      if (sum !== null && sum !== 0 && now.sums[name] === 0)
        wrong.push(`${view}.${name} is 0 and was ${sum}`);
  }
  return wrong;
}
