import { systemScratch } from '../../lake/folder/system-scratch.ts';
import { type Head, readHead } from '../../lake/head.ts';
import type { Lake } from '../../lake/lake.ts';
import { readSchema } from '../../schema/schema.ts';
import { type OpenOptions, openTables, quarterBefore, type Tables } from '../../views/open-tables.ts';
import { QUERIES } from '../../views/queries.ts';
import { computeFigures, computeRows, daysBefore, type FigureFile, putFigures } from './day-figures.ts';
import { reachOf, runDates, SETTLED_DAYS, stampsOf } from './stamps.ts';
import { storedFigures, storeFigures } from './stored-figures.ts';

/** Files of players and screens of the days shown. Below it, the views answer at once and nothing is stored. */
const SMALL_BYTES = 2 ** 21;
/** As many bytes of players and screens are computed at once. 100,000 players have 1 MiB a day. */
const BYTES_AT_ONCE = 2 ** 24;

/** What DuckDB uses of a Lambda's memory. Node, and what DuckDB does not count, take half as much again. */
const MEMORY_MIB = 640;
/** Kept back for the page itself. */
const PAGE_MS = 120_000;

/** Tables as the page and the news read them. */
export interface ReportTables extends Tables {
  /** Computes the figures of earlier days that are not stored, as far as time allows, and stores all. */
  readonly complete: () => Promise<void>;
}

export interface OpenReportOptions extends Pick<OpenOptions, 'queries' | 'since'> {
  /** Milliseconds for the figures of earlier days. @default unlimited */
  readonly timeLeft?: () => number;
  /** False: nothing is written to the lake. @default true */
  readonly stores?: boolean;
  /** @default 2 MiB */
  readonly smallBytes?: number;
}

/**
 * Opens the tables of a lake for the page. In a large lake the figures of earlier days come from `state/figures`, so
 * the time does not grow with the days. Only recent days are computed again: what the API says later may change them.
 */
export async function openReport(
  lake: Lake,
  { queries = QUERIES, since = '', smallBytes = SMALL_BYTES, ...options }: OpenReportOptions = {},
): Promise<ReportTables> {
  const head = (await readHead(lake))?.head;
  if (head === undefined || bytesOf(head, runDates(head, quarterBefore(head.exportDate))) < smallBytes) {
    const tables = await openTables(lake, { queries, since });
    return { ...tables, complete: async () => undefined };
  }
  return await openLarge(lake, { ...options, head, queries, since });
}

interface OpenLargeOptions extends OpenReportOptions {
  readonly head: Head;
  readonly queries: URL;
  readonly since: string;
}

async function openLarge(
  lake: Lake,
  { head, queries, since, timeLeft = () => Number.POSITIVE_INFINITY, stores = true }: OpenLargeOptions,
): Promise<ReportTables> {
  const scratch = await systemScratch();
  const folder = scratch.path;
  const dates = runDates(head, quarterBefore(head.exportDate));
  const schema = await readSchema(lake, head.schema);
  const storing = { lake, folder, stamps: await stampsOf(head, { schema, queries, dates }) };
  const settled = daysBefore(head.exportDate, SETTLED_DAYS);
  const recent = await readRecent(lake, {
    queries,
    days: dates.filter((date) => date >= settled),
    dates,
    storing,
  });
  // Each day is in the files of all figures.
  const figure = recent.files.find(({ days }) => days !== undefined)?.name;
  const known = new Set(recent.files.flatMap(({ name, days = [] }) => (name === figure ? days : [])));
  const missing = figure === undefined ? [] : dates.filter((date) => !known.has(date));
  const files = [...recent.files];
  const tables = await openTables(lake, {
    queries,
    since,
    folder,
    memoryLimitMiB: MEMORY_MIB,
    playerDates: recent.compared,
  });
  await putFigures(tables, files);
  const complete = async () => {
    let last = 0;
    for (const days of chunksOf(missing, { head, dates })) {
      if (timeLeft() < 2 * last + PAGE_MS) break;
      const began = performance.now();
      using some = await openTables(lake, {
        queries,
        ...reachOf(dates, days),
        folder,
        memoryLimitMiB: MEMORY_MIB,
      });
      files.push(...(await computeFigures(some, { days, folder })));
      last = performance.now() - began;
    }
    if (missing.length > 0) await putFigures(tables, files);
    if (stores) await storeFigures(tables, storing, new Set(files.map(({ name }) => name)));
  };
  return {
    ...tables,
    complete,
    [Symbol.dispose]: () => {
      tables[Symbol.dispose]();
      void scratch[Symbol.asyncDispose]();
    },
  };
}

interface ReadRecent extends Pick<OpenLargeOptions, 'queries'> {
  readonly days: readonly string[];
  readonly dates: readonly string[];
  readonly storing: Parameters<typeof storedFigures>[1];
}

/** The figures of recent days and those that are stored, and the dates that the news compare. */
async function readRecent(
  lake: Lake,
  { queries, days, dates, storing }: ReadRecent,
): Promise<{ readonly files: readonly FigureFile[]; readonly compared: ReadonlySet<string> }> {
  const { folder } = storing;
  using tables = await openTables(lake, {
    queries,
    since: reachOf(dates, days).since,
    folder,
    memoryLimitMiB: MEMORY_MIB,
  });
  const computed = [
    ...(await computeFigures(tables, { days, folder })),
    ...(await computeRows(tables, { name: 'off_in_hours', folder })),
  ];
  const stored = (await storedFigures(tables, storing)).map((file) => ({
    ...file,
    days: (file.days ?? []).filter((day) => !days.includes(day)),
  }));
  return { files: [...computed, ...stored], compared: await comparedDates(tables) };
}

/** The newest day of each source, and the days that its news compare it with. */
async function comparedDates(tables: Tables): Promise<ReadonlySet<string>> {
  const { rows } = await tables.query(`
    -- grain: a date
    with
      -- grain: a source and a date
      run_days as (select distinct export_source, export_date from runs),
      -- grain: a source
      newest as (select export_source, max(export_date) as export_date from run_days group by export_source)
    select distinct (
      select max(run_days.export_date)
      from run_days
      where
        run_days.export_source = newest.export_source
        and cast(run_days.export_date as date) <= cast(newest.export_date as date) - days * interval '1' day
    ) as compared
    from newest
    cross join (values (0), (1), (7), (30)) as spans (days)`);
  return new Set(rows.map(([date]) => String(date)));
}

/** Days to compute at once, the newest first. */
function chunksOf(
  missing: readonly string[],
  { head, dates }: { readonly head: Head; readonly dates: readonly string[] },
): readonly (readonly string[])[] {
  const ofDay = bytesOf(head, dates) / dates.length;
  const most = Math.max(SETTLED_DAYS, Math.floor(BYTES_AT_ONCE / ofDay));
  const chunks: (readonly string[])[] = [];
  for (let end = missing.length; end > 0; end -= most)
    chunks.push(missing.slice(Math.max(0, end - most), end));
  return chunks;
}

/** Bytes of the players and screens of some dates, as the head has noted them. */
function bytesOf({ tables }: Head, dates: readonly string[]): number {
  const sums = ['players', 'screens'].flatMap((table) =>
    dates.flatMap((date) => tables[table]?.dates[date]?.sums ?? []),
  );
  return sums.reduce((total, sum) => total + Number.parseInt(sum, 10), 0);
}
