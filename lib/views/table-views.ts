import type { Head, TableHead } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { tableKeys } from '../lake/table-files.ts';
import { isInFiles, type Schema, type SchemaColumn } from '../schema/schema.ts';
import { TABLES, type TableForm } from '../schema/tables.ts';
import { emptyRelation, nullAs, quoteIdentifier, quoteLiteral } from '../sql.ts';

/** A view of DuckDB over the files of a table. */
export interface TableView {
  readonly name: string;
  /** Gives the SELECT; files of a remote lake are fetched first. */
  readonly sql: () => Promise<string>;
}

export interface TableViewsOptions {
  readonly head: Head;
  readonly schema: Schema;
  /** The first date that tables of days have, but for `runs`, which is small and says since when. @default all */
  readonly since?: string;
  /** Of `runs` too the dates from `since` on, and of all but it and `outcomes` the newest date alone. @default false */
  readonly healthAlone?: boolean;
}

/** What tells how runs went, so its days are opened where health alone is asked for. */
const HEALTH_TABLES: readonly string[] = ['runs', 'outcomes'];

/**
 * The tables of a lake as views: the newest state as `screens`, all days as `screens_daily` with `export_date`. A table
 * without newest state, such as `changes`, has all days under its own name.
 */
export function tableViews(
  lake: Pick<Lake, 'localPaths'>,
  { head, schema, since = '', healthAlone = false }: TableViewsOptions,
): readonly TableView[] {
  const views: TableView[] = [];
  const firstOf = (table: string) => {
    if (!healthAlone) return table === 'runs' ? '' : since;
    return HEALTH_TABLES.includes(table) ? since : head.exportDate;
  };
  for (const form of TABLES) {
    const files = head.tables[form.name];
    const columns = schema.tables[form.name]?.columns ?? [];
    const first = firstOf(form.name);
    const dates = Object.fromEntries(Object.entries(files?.dates ?? {}).filter(([date]) => date >= first));
    const days = () => unionOf(lake, { form, columns, dates, withDate: true });
    if (form.onlyDays) {
      views.push({ name: form.name, sql: days });
      continue;
    }
    const newest = files === undefined ? {} : { [files.newest.date]: files.newest };
    const now = () => unionOf(lake, { form, columns, dates: newest, withDate: false });
    views.push({ name: form.name, sql: now }, { name: `${form.name}_daily`, sql: days });
  }
  return views;
}

interface UnionOptions {
  readonly form: TableForm;
  readonly columns: readonly SchemaColumn[];
  readonly dates: Readonly<Record<string, Pick<TableHead['newest'], 'run' | 'parts'>>>;
  readonly withDate: boolean;
}

/** DuckDB takes each folder `KEY=VALUE` for a column, and opens no file of a date that the query does not ask for. */
const BY_FOLDERS = 'hive_partitioning = true, hive_types = { export_date: varchar, run: varchar }';
const DATE_OF_FILE = "regexp_extract(file__name, 'export_date=([0-9-]+)', 1)";

/**
 * One `read_parquet` for all dates with the same columns, as the schema knows them. So DuckDB opens the first file of each
 * group, its newest, to plan a query, and only reads the files of the dates that the query asks for.
 */
async function unionOf(lake: Pick<Lake, 'localPaths'>, options: UnionOptions): Promise<string> {
  const { form, columns, dates, withDate } = options;
  const groups = Map.groupBy(
    newestFirst(dates).filter(([, { parts }]) => parts.length > 0),
    ([, { run }]) => columns.filter((column) => isInFiles(column, run)).length,
  );
  // The folder of an attempt would hide a column of the API's.
  const hasRun = columns.some(({ name }) => name === 'run');
  const selects: string[] = [];
  for (const group of groups.values()) {
    const keys = group.flatMap(([date, files]) => tableKeys(form.name, { date, ...files }));
    const paths = await lake.localPaths(keys);
    const wrote = group[0]?.[1].run ?? '';
    const list = [
      ...form.columns.map(({ name }) => quoteIdentifier(name)),
      ...columns.map((column) => (isInFiles(column, wrote) ? quoteIdentifier(column.name) : nullAs(column))),
      ...(withDate ? [hasRun ? `${DATE_OF_FILE} as export_date` : 'export_date'] : []),
    ];
    const files = paths.map(quoteLiteral).join(', ');
    const how = hasRun ? "hive_partitioning = false, filename = 'file__name'" : BY_FOLDERS;
    selects.push(`select ${list.join(', ')} from read_parquet([${files}], ${how})`);
  }
  if (selects.length > 0) return selects.join(' union all ');
  const date = { name: 'export_date', type: 'varchar' } as const;
  return emptyRelation([...form.columns, ...columns, ...(withDate ? [date] : [])]);
}

function newestFirst<Files>(dates: Readonly<Record<string, Files>>): readonly (readonly [string, Files])[] {
  return Object.entries(dates).toSorted(([a], [b]) => (a < b ? 1 : -1));
}
