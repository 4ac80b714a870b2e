import { readType } from '../column-types.ts';
import type { DamagedTable } from '../lake/damaged-file.ts';
import type { Head, TableHead } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { tableKeys } from '../lake/named-files.ts';
import { firstDamaged } from '../lake/sums/refuse-damaged.ts';
import { columnsInFiles, type Schema, type SchemaColumn } from '../schema/schema.ts';
import { TABLES, type TableForm } from '../schema/tables.ts';
import { RESOURCES } from '../sources/resources.ts';
import {
  emptyRelation,
  isPlainAbove,
  nullAs,
  quoteIdentifier,
  quoteLiteral,
  type RelationColumn,
  readDays,
  readParquet,
} from '../sql.ts';

/** A view of DuckDB over the files of a table. */
export interface TableView {
  readonly name: string;
  /** Returns the SELECT; files of a remote lake are fetched first. */
  readonly sql: () => Promise<string>;
  /** A SELECT of the same columns without a row: DuckDB opens no file for it. */
  readonly empty: string;
  /** The columns with DuckDB's types: `is_on BOOLEAN`. */
  readonly columns: readonly string[];
  /** The file that differs from what was written, if DuckDB cannot read these as a table of such columns. */
  readonly damaged: () => Promise<DamagedTable | undefined>;
}

export interface TableViewsOptions {
  readonly head: Head;
  readonly schema: Schema;
  /** The first date in tables of days, except `runs`, which is small and says since when. @default all */
  readonly since?: string;
  /** The last date in tables of days. @default the newest */
  readonly until?: string;
  /** The dates to open in tables with a row for each player, such as `players_daily`. @default all */
  readonly playerDates?: ReadonlySet<string>;
  /**
   * Dates before `since` or after `until` to open in these tables and in `runs`. With it, the tables of FEW_ROWS begin
   * with their first date: whether a slot is counted again shows on days long before. @default none
   */
  readonly moreDates?: ReadonlySet<string>;
  /** True: only the newest date, but in `outcomes` and `runs` all from `since` on. @default false */
  readonly healthAlone?: boolean;
}

/** The tables about runs. Their days are opened even if only health is wanted. */
const HEALTH_TABLES: readonly string[] = ['runs', 'outcomes'];

/** Tables of listings that do not grow with the players. */
const FEW_ROWS: readonly string[] = RESOURCES.filter(
  ({ name, parent }) => name !== 'players' && parent !== 'players',
).map(({ name }) => name);

/** Tables with a row for each player and each day. */
const PLAYER_TABLES: readonly string[] = ['players', 'screens'];

/**
 * The tables of a lake as views: the newest state as `screens`, all days as `screens_daily` with
 * `export_date`. A table without newest state, such as `changes`, has all days under its own name.
 */
export function tableViews(lake: Pick<Lake, 'localPaths'>, options: TableViewsOptions): readonly TableView[] {
  const { head, schema, since = '', until = '9999', playerDates, moreDates, healthAlone = false } = options;
  const views: TableView[] = [];
  const firstOf = (table: string) => {
    if (moreDates !== undefined && FEW_ROWS.includes(table)) return '';
    if (!healthAlone) return table === 'runs' ? '' : since;
    return HEALTH_TABLES.includes(table) ? since : head.exportDate;
  };
  for (const form of TABLES) {
    const files = head.tables[form.name];
    const columns = schema.tables[form.name]?.columns ?? [];
    const first = firstOf(form.name);
    const isOfPlayers = PLAYER_TABLES.includes(form.name);
    const only = isOfPlayers ? playerDates : undefined;
    const more = isOfPlayers || form.name === 'runs' ? moreDates : undefined;
    const isOpened = (date: string) =>
      more?.has(date) || (date >= first && date <= until && (only?.has(date) ?? true));
    const dates = Object.fromEntries(Object.entries(files?.dates ?? {}).filter(([date]) => isOpened(date)));
    const add = (name: string, of: Pick<UnionOptions, 'dates' | 'withDate'>) => {
      const all = allColumns({ form, columns, withDate: of.withDate });
      const union = { form, columns, schema, ...of };
      views.push({
        name,
        sql: () => unionOf(lake, union),
        empty: emptyRelation(all, readType),
        columns: all.map((column) => `${column.name} ${readType(column.type)}`),
        damaged: () => {
          const table = form.name;
          return firstDamaged(
            lake,
            Object.entries(of.dates).map(([date, files]) => ({ table, ...files, date })),
          );
        },
      });
    };
    if (form.onlyDays) {
      add(form.name, { dates, withDate: true });
      continue;
    }
    const newest = files === undefined ? {} : { [files.newest.date]: files.newest };
    add(form.name, { dates: newest, withDate: false });
    add(`${form.name}_daily`, { dates, withDate: true });
  }
  return views;
}

interface UnionOptions {
  readonly schema: Schema;
  readonly form: TableForm;
  readonly columns: readonly SchemaColumn[];
  readonly dates: TableHead['dates'];
  readonly withDate: boolean;
}

/** The date in a file's path below the lake, with any system's separators. Folders above the lake do not count. */
const DATE_OF_FILE = (file: string) =>
  `regexp_extract(${file}, 'export_date=([0-9-]+)[/\\\\]run=[^/\\\\]+[/\\\\]part-[0-9]+[.]parquet$', 1) as export_date`;

/**
 * One `read_parquet` for all dates with the same columns, as the schema knows them. So DuckDB plans a query
 * with the first file of each group, its newest. It reads only the files of the query's dates.
 */
async function unionOf(lake: Pick<Lake, 'localPaths'>, options: UnionOptions): Promise<string> {
  const { schema, form, columns, dates, withDate } = options;
  const groups = Map.groupBy(
    newestFirst(dates).filter(([, { parts }]) => parts.length > 0),
    ([, { run }]) => columnsInFiles(schema, form.name, run).size,
  );
  const selects: string[] = [];
  for (const group of groups.values()) {
    const keys = group.flatMap(([date, files]) => tableKeys(form.name, { date, ...files }));
    const paths = await lake.localPaths(keys);
    const there = columnsInFiles(schema, form.name, group[0]?.[1].run ?? '');
    // A column of the API may have the one name that lets DuckDB skip files.
    const file = there.has('filename') ? 'file__name' : 'filename';
    // The folder of an attempt would hide a column of the API.
    const isPlain = !columns.some(({ name }) => name === 'run') && paths.every(isPlainAbove);
    const [[date] = ['']] = group;
    // DuckDB 1.5 fails by a fault of its own on the max() of a folder's column, if there is one file.
    const days =
      group.length === 1
        ? { date: `${quoteLiteral(date)} as export_date`, from: readParquet(paths) }
        : isPlain
          ? { date: 'export_date', from: readDays(paths) }
          : { date: DATE_OF_FILE(file), from: readParquet(paths, file) };
    const list = [
      ...[...form.columns, ...columns].map((column) =>
        there.has(column.name) ? quoteIdentifier(column.name) : nullAs(column, readType),
      ),
      ...(withDate ? [days.date] : []),
    ];
    selects.push(`select ${list.join(', ')} from ${withDate ? days.from : readParquet(paths)}`);
  }
  return selects.length > 0 ? selects.join(' union all ') : emptyRelation(allColumns(options), readType);
}

function allColumns({
  form,
  columns,
  withDate,
}: Omit<UnionOptions, 'dates' | 'schema'>): readonly RelationColumn[] {
  const date = { name: 'export_date', type: 'varchar' } as const;
  return [...form.columns, ...columns, ...(withDate ? [date] : [])];
}

function newestFirst<Files>(dates: Readonly<Record<string, Files>>): readonly (readonly [string, Files])[] {
  return Object.entries(dates).toSorted(([a], [b]) => (a < b ? 1 : -1));
}
