import type { Tables } from '../views/open-tables.ts';
import type { Cell, ReportTable } from './report-data.ts';
import { reportColumns, type TableQuery, withGroups } from './table-query.ts';

/** The most rows of a table on the page, about 300 kB; the views have them all. */
const ROWS_A_TABLE = 2000;

/** A table of the page with its rows. */
export async function readTable(
  tables: Tables,
  given: TableQuery,
  groups: readonly { readonly name: string; readonly column: string }[] = [],
): Promise<ReportTable> {
  const query = withGroups(given, groups);
  const order = query.order ?? tables.views.find(({ name }) => name === query.view)?.order;
  if (order === undefined) throw new Error(`the report asks for ${query.view}, which this lake has not`);
  const list = query.columns.map(([sql], index) => `${sql} as c${index}`).join(',\n      ');
  const { rows } = await tables.query(`
    -- grain: as ${query.view}
    select
      ${list}
    from ${query.from}
    order by ${order}
    limit ${ROWS_A_TABLE}`);
  const { id, title, note } = query;
  const total = rows.length < ROWS_A_TABLE ? rows.length : await countOf(tables, query.from);
  // An optional column without a value says nothing.
  const isIdle = (index: number) => rows.length > 0 && rows.every((row) => row[index] === null);
  const shown = [...query.columns.keys()].filter((index) => !query.columns[index]?.[3] || !isIdle(index));
  return {
    id,
    title,
    note,
    query: `select * from ${given.from.replaceAll(/\s+/g, ' ')}`,
    notKnown: [],
    columns: shown.flatMap((index) => reportColumns(query)[index] ?? []),
    rows: rows.map((row) => shown.map((index) => cellOf(row[index], query.columns[index]?.[2]))),
    total,
  };
}

/** With one source, its name in every row says nothing; links and the download have it. */
export function withoutSource(table: ReportTable, sources: number): ReportTable {
  const place = table.columns.findIndex(({ is }) => is === 'source');
  const named = new Set(table.rows.map((row) => row[place]));
  if (sources !== 1 || named.size > 1) return table;
  const columns = table.columns.map((column, index) =>
    index === place ? { ...column, place: 'key' as const } : column,
  );
  return { ...table, columns };
}

const TEXTS = new Set(['text', 'state', 'word', 'time', 'age']);

/** A message with its cure is shorter. */
const LONGEST_TEXT = 1000;

/** Texts are cut: a name of 32,000 characters helps nobody here. Numbers beyond a double come as text. */
export function cellOf(cell: unknown, kind = 'text'): Cell {
  if (cell === null || cell === undefined) return null;
  if (!TEXTS.has(kind)) return Number(cell);
  const text = String(cell);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** A separate query: DuckDB 1.5.5 sometimes fails in a window over all rows, its issue 25713. */
export async function countOf(tables: Tables, from: string): Promise<number> {
  const { rows } = await tables.query(`-- grain: one row\n    select count(*) from ${from}`);
  return Number(rows[0]?.[0] ?? 0);
}
