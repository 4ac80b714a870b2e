import { readFile } from 'node:fs/promises';

/** The folder of the views. */
export const QUERIES = new URL('../queries/', import.meta.url);

/** The statements that teach DuckDB the functions which the views use. */
export async function readMacros(): Promise<string> {
  return await readFile(new URL('duckdb/macros.sql', QUERIES), 'utf8');
}
