import type { Lake } from '#lib/lake/lake.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { openTables, type QueryResult } from '#lib/views/open-tables.ts';

/** What differs between two runs of the same day: times, and what depends on them. */
export const VARYING: readonly string[] = [
  ...'exported_at observed_at attempts message started_at duration_seconds requests retries'.split(' '),
  // Of a view, counted from now.
  'hours_since_run',
];

/** The tables and their days. */
const TABLE_NAMES = TABLES.flatMap(({ name, onlyDays }) => (onlyDays ? [name] : [name, `${name}_daily`]));

/** Each table of a lake with its rows as text, but for what varies; equal where two lakes tell the same. */
export async function tablesAsText(lake: Lake, names: readonly string[] = TABLE_NAMES) {
  using tables = await openTables(lake, { sql: names.join(' ') });
  const texts: Record<string, readonly string[]> = {};
  for (const name of names) texts[name] = rowsOf(await tables.query(`select * from "${name}"`));
  return texts;
}

function rowsOf({ columns, rows }: QueryResult): readonly string[] {
  const kept = columns
    .flatMap((name, index) => (VARYING.includes(name) ? [] : [{ name, index }]))
    .toSorted(byName);
  return rows.map((row) => kept.map(({ name, index }) => `${name}=${String(row[index])}`).join(' | ')).sort();
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
