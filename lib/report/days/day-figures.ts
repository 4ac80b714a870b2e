import { join } from 'node:path';
import { quoteLiteral, readParquet } from '../../sql.ts';
import { daysBefore } from '../../time.ts';
import type { Tables } from '../../views/open-tables.ts';

/** Figures of whole days. On the page they stand for a view that would read every player of every day. */
export interface DayFigure {
  readonly name: string;
  /** The view that they come from. @default that of this name */
  readonly of?: string;
  /** SELECT of the rows that the page reads, with their `export_date`. */
  readonly sql: string;
  /** The days that the page goes back. */
  readonly days: number;
}

/** Hours of all screens by day and source. */
export const UPTIME_DAYS = `
  select
    export_date,
    export_source,
    sum(on_hours) as on_hours,
    sum(off_hours) as off_hours,
    sum(unknown_hours) as unknown_hours,
    sum(sampling_error_hours) as sampling_error_hours
  from screen_uptime
  group by export_date, export_source`;

export const DAY_FIGURES: readonly DayFigure[] = [
  { name: 'daily_trend', sql: 'select * from daily_trend', days: 91 },
  { name: 'group_trend', sql: 'select * from group_trend', days: 91 },
  { name: 'uptime_days', of: 'screen_uptime', sql: UPTIME_DAYS, days: 91 },
  {
    name: 'availability',
    sql: `select strftime(period_start, '%Y-%m-%d') as export_date, *
    from availability
    where period = 'day' and level in ('group', 'place')`,
    days: 28,
  },
];

/** A Parquet file with rows of a view, and those of its days that count. */
export interface FigureFile {
  readonly name: string;
  readonly path: string;
  /** @default all rows */
  readonly days?: readonly string[];
}

interface ComputeOptions {
  readonly days: readonly string[];
  /** Where the files go. */
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}

/** Those that these tables have. */
export const figuresIn = (tables: Tables): ReadonlySet<string> =>
  new Set(
    DAY_FIGURES.filter(({ name, of = name }) => tables.views.some((view) => view.name === of)).map(
      ({ name }) => name,
    ),
  );

/** Computes the figures of days into files. Throws DamagedTable where a file of these days is damaged. */
export async function computeFigures(
  tables: Tables,
  { days, folder, names }: ComputeOptions,
): Promise<readonly FigureFile[]> {
  const files: FigureFile[] = [];
  const figures = DAY_FIGURES.filter((figure) => names.has(figure.name));
  for (const { name, of = name, sql, days: back } of figures) {
    const wanted = days.filter((day) => day > daysBefore(tables.head.exportDate, back));
    if (wanted.length === 0) continue;
    // A damaged file is told here, with its cure.
    await tables.query(`-- grain: as ${of}\n select 1 from ${of} limit 0`);
    const path = join(folder, `${name}-${wanted[0]}.parquet`);
    await copyTo(tables, { path, sql: `select * from (${sql}) as figures where ${inDays(wanted)}` });
    files.push({ name, path, days: wanted });
  }
  return files;
}

/** Computes all rows of a view into a file. */
export async function computeRows(
  tables: Tables,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<readonly FigureFile[]> {
  if (!tables.views.some((view) => view.name === name)) return [];
  const path = join(folder, `${name}.parquet`);
  await copyTo(tables, { path, sql: `select * from ${name}` });
  return [{ name, path }];
}

/** Lets the rows of files stand for their views. */
export async function putFigures(tables: Tables, files: readonly FigureFile[]): Promise<void> {
  for (const [name, parts] of Map.groupBy(files, (file) => file.name)) {
    const selects = parts.map(
      ({ path, days }) => `from ${readParquet([path])}${days ? ` where ${inDays(days)}` : ''}`,
    );
    await tables.run(`create or replace temp table ${name} as ${selects.join(' union all by name ')}`);
  }
}

/** Writes the rows of a SELECT to a Parquet file. */
export async function copyTo(
  tables: Tables,
  { path, sql }: { readonly path: string; readonly sql: string },
): Promise<void> {
  await tables.run(`copy (${sql}) to ${quoteLiteral(path)} (format parquet, compression zstd)`);
}

export const inDays = (days: readonly string[]) =>
  `export_date in (${days.map(quoteLiteral).join(', ') || "''"})`;
