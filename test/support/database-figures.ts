import { TABLES } from '#lib/schema/tables.ts';
import { stockClient } from './stock-client.ts';

/** What is counted of a table: its rows, and a sum that changes with every cell; an age by the clock of now is left out. */
export const FIGURES = (name: string) => {
  const cells = name === 'export_health' ? '* exclude (hours_since_run)' : '*';
  return `select count(*)::varchar, coalesce(sum(hash(t::varchar))::varchar, '') from (select ${cells} from "${name}") as t`;
};

/** The tables, views and columns without a sentence next to them, and how many have one. */
export const COMMENTS = `
  select count(comment)::int, list(name) filter (where comment is null)::varchar
  from (
    select view_name as name, comment from duckdb_views() where database_name = current_database() and not internal
    union all
    select table_name, comment from duckdb_tables() where database_name = current_database()
    union all
    select table_name || '.' || column_name, comment from duckdb_columns() where database_name = current_database() and not internal
  )`;

export const isAny = () => true;
export const isTable = (name: string) =>
  TABLES.some((table) => name === table.name || name === `${table.name}_daily`);

/** What a client counts that knows nothing of us. */
export async function countedBy(
  file: string,
  isOne: (name: string) => boolean = isTable,
): Promise<Record<string, unknown>> {
  using reader = await stockClient(file);
  const names = await reader.rows(
    "select table_name from information_schema.tables where table_catalog = 'lake' and table_name <> 'lake_commit'",
  );
  const found: Record<string, unknown> = {};
  for (const name of names.map(String).filter(isOne)) found[name] = (await reader.rows(FIGURES(name)))[0];
  return found;
}
