import { systemScratch } from '../../lake/folder/system-scratch.ts';
import { type Head, readHead } from '../../lake/head.ts';
import type { Lake } from '../../lake/lake.ts';
import { readSchema } from '../../schema/schema.ts';
import { daysBefore } from '../../time.ts';
import { type OpenOptions, openTables, type Tables } from '../../views/open-tables.ts';
import { QUERIES } from '../../views/queries.ts';
import { CARRIED_ROWS, datesOfCarried, readCarriedRows } from './carried-rows.ts';
import { computeFigures, computeRows, type FigureFile, figuresIn, putFigures } from './day-figures.ts';
import { comparedDates, oldestNewest, readRunDates } from './run-dates.ts';
import { type KnownRuns, reachOf, SETTLED_DAYS, stampsOf } from './stamps.ts';
import { removeFigures, storedFigures, storeFigures } from './stored-figures.ts';

/** The page shows the figures of so many days. */
const SHOWN_DAYS = 91;
/** If the players and screens of these days have fewer bytes, the views answer at once, and nothing is stored. */
const SMALL_BYTES = 2 ** 21;
/** So many bytes of players and screens are computed at once. 100,000 players have 1 MiB a day. */
const BYTES_AT_ONCE = 2 ** 24;
/** `off_in_hours` looks back a week; the runs before it say what was known when the week began. */
const HOURS_DAYS = 10;
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
 * the time does not grow with the days. Only the last eight days are computed again: the API may say more of them.
 */
export async function openReport(
  lake: Lake,
  {
    queries = QUERIES,
    since = '',
    smallBytes = SMALL_BYTES,
    stores = true,
    timeLeft = () => Number.POSITIVE_INFINITY,
  }: OpenReportOptions = {},
): Promise<ReportTables> {
  const head = (await readHead(lake))?.head;
  const plain = async (): Promise<ReportTables> => {
    const tables = await openTables(lake, { queries, since, ...(head && { head }) });
    return { ...tables, complete: async () => undefined };
  };
  if (head === undefined || bytesOf(head, shownDates(head)) < smallBytes) {
    // A purge may have made the lake small.
    if (stores) await removeFigures(lake).catch(() => undefined);
    return await plain();
  }
  const scratch = await systemScratch();
  try {
    const folder = scratch.path;
    const large = await openLarge(lake, { queries, since, head, stores, folder, timeLeft });
    if (large !== undefined)
      return {
        ...large,
        [Symbol.dispose]: () => {
          large[Symbol.dispose]();
          void scratch[Symbol.asyncDispose]();
        },
      };
  } catch (error) {
    await scratch[Symbol.asyncDispose]();
    throw error;
  }
  // A file is damaged: what the views say of that is said once, by the views.
  await scratch[Symbol.asyncDispose]();
  return await plain();
}

type OpenLargeOptions = Required<
  Pick<OpenOptions, 'head' | 'folder'> & Pick<OpenReportOptions, 'queries' | 'since' | 'stores' | 'timeLeft'>
>;

/** Undefined where a file is damaged. */
async function openLarge(lake: Lake, options: OpenLargeOptions): Promise<ReportTables | undefined> {
  const { head, queries, since, folder, stores, timeLeft } = options;
  const opened = { queries, head, folder, memoryLimitMiB: MEMORY_MIB };
  const runs = await readRuns(lake, opened);
  const week = oldestNewest(head, runs, shownDates(head)[0] ?? '') ?? head.exportDate;
  const inHours = await readInHours(lake, {
    ...opened,
    ...reachBack(runs, daysBefore(week, HOURS_DAYS)),
  });
  const tables = await openTables(lake, { ...opened, since, playerDates: comparedDates(runs) });
  if (inHours === undefined || tables.broken.length > 0) {
    tables[Symbol.dispose]();
    return undefined;
  }
  await putFigures(tables, inHours);
  const complete = async () => {
    const names = figuresIn(tables);
    if (names.size === 0) return;
    const days = shownDates(head);
    const schema = await readSchema(lake, head.schema);
    const storing = { lake, folder, stamps: await stampsOf(head, { schema, queries, runs, days }) };
    const settled = daysBefore(head.exportDate, SETTLED_DAYS);
    const recent = days.filter((day) => day >= settled);
    const stored = await storedFigures(tables, storing, names);
    const known = new Set([...recent, ...(stored[0]?.days ?? [])]);
    const files: FigureFile[] = stored.map((file) => ({
      ...file,
      days: (file.days ?? []).filter((day) => !recent.includes(day)),
    }));
    let last = 0;
    for (const some of [recent, ...chunksOf(days, { head, known })]) {
      // Without the recent days there is no page.
      if (some !== recent && timeLeft() < 2 * last + PAGE_MS) break;
      const began = performance.now();
      using part = await openTables(lake, { ...opened, ...reachOf(runs, some) });
      files.push(...(await computeFigures(part, { days: some, folder, names })));
      last = performance.now() - began;
    }
    await putFigures(tables, files);
    // A later commit may hide what this one shows. Without a right to write, the next page computes them again.
    if (stores && (await readHead(lake))?.head.committedAt === head.committedAt)
      await storeFigures(tables, storing, names).catch(() => undefined);
  };
  return { ...tables, complete };
}

type Opened = Pick<OpenOptions, 'queries' | 'folder' | 'memoryLimitMiB'> & { readonly head: Head };

/** All runs, and the rows of earlier dates that the shown days carry. Days of complete runs carry none. */
async function readRuns(lake: Lake, opened: Opened): Promise<KnownRuns> {
  using tables = await openTables(lake, { ...opened, sql: 'select * from runs' });
  const runs = await readRunDates(tables);
  const shown = new Set(shownDates(opened.head));
  const playerDates = new Set(runs.partial.filter((date) => shown.has(date)));
  if (playerDates.size === 0) return { ...runs, carried: [] };
  using days = await openTables(lake, { ...opened, playerDates, sql: CARRIED_ROWS });
  // What is damaged is told where its figures are computed.
  return { ...runs, carried: await readCarriedRows(days).catch(() => []) };
}

/** All days since one, and the dates before it whose rows they carry. */
const reachBack = (runs: KnownRuns, since: string) => ({
  since,
  moreDates: datesOfCarried(runs.carried, runs, { since, until: '9999', last: '9999' }),
});

/** The rows of `off_in_hours`, which reads the players of a week; undefined where a file is damaged. */
async function readInHours(
  lake: Lake,
  { folder, ...opened }: Opened & Pick<OpenOptions, 'since' | 'moreDates'> & { readonly folder: string },
): Promise<readonly FigureFile[] | undefined> {
  using tables = await openTables(lake, { ...opened, folder });
  return tables.broken.length > 0 ? undefined : await computeRows(tables, { name: 'off_in_hours', folder });
}

/** Missing days to compute at once, the newest first. They follow each other. */
function chunksOf(
  days: readonly string[],
  { head, known }: { readonly head: Head; readonly known: ReadonlySet<string> },
): readonly (readonly string[])[] {
  const most = Math.max(SETTLED_DAYS, Math.floor((BYTES_AT_ONCE * days.length) / bytesOf(head, days)));
  const chunks: string[][] = [];
  let chunk: string[] = [];
  for (const day of days.toReversed()) {
    if (known.has(day) || chunk.length === most) chunk = [];
    if (known.has(day)) continue;
    if (chunk.length === 0) chunks.push(chunk);
    chunk.unshift(day);
  }
  return chunks;
}

/** The days that the page shows from the first run on, the oldest first: a later run may know of a day without one. */
function shownDates({ tables, exportDate }: Head): readonly string[] {
  const [first = exportDate] = Object.keys(tables['runs']?.dates ?? {}).toSorted();
  return Array.from({ length: SHOWN_DAYS }, (_, ago) => daysBefore(exportDate, ago))
    .filter((date) => date >= first)
    .toReversed();
}

/** Bytes of the players and screens of some dates, as the head has noted them. */
function bytesOf({ tables }: Head, dates: readonly string[]): number {
  const sums = ['players', 'screens'].flatMap((table) =>
    dates.flatMap((date) => tables[table]?.dates[date]?.sums ?? []),
  );
  return sums.reduce((total, sum) => total + Number.parseInt(sum, 10), 0);
}
